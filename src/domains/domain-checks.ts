import type { FailureReason, GuardedClient } from '../destination-pages/guarded-client.ts'
import { readBytes } from '../destination-pages/read-bytes.ts'
import type { ServerCertificate } from '../destination-pages/server-certificate.ts'
import type { LookUpTxt, ResolveHost } from '../destination-pages/resolve-host.ts'
import { proofOf } from './find-domains.ts'

/** Where the file of a proof is on the host of a domain. Tern answers there too, on the hosts that it serves. */
export const PROOF_PATH = '/.well-known/tern-domain'
export const txtNameOf = (host: string): string => `_tern.${host}`

const TIMEOUT_MS = 8_000
const FILE_BYTES_MAX = 256
const ADDRESSES_NAMED_MAX = 4
const CHECKED_AT_ONCE = 16

export type DomainChecksDeps = {
  baseUrl: string
  lookUpTxt: LookUpTxt
  resolve: ResolveHost
  /** Whether an IP address may be named. Only tests pass anything other than isPublicAddress. */
  isAllowedAddress(ip: string): boolean
  /** Undefined if the operator allows no requests to other hosts. */
  client: Pick<GuardedClient, 'get' | 'certificateOf'> | undefined
}

/** What is looked for: the token of one domain. */
export type Checked = { name: string; token: string }

export type Findings = {
  /** Undefined: it was found. Otherwise a sentence about why not. */
  ownership: string | undefined
  /** The same. */
  pointing: string | undefined
  /** The IP addresses of the domain; [] if one of them is private, as if the name were unknown. */
  addresses: readonly string[]
  /** Undefined if visitors use none, and where it could not be looked at: without records, on private hosts, from this network. */
  certificate: ServerCertificate | undefined
}

/** Whether a look may find more once the domain is served. */
export const isIncomplete = ({ pointing, certificate }: Findings): boolean =>
  pointing !== undefined || (certificate !== undefined && certificate.result !== 'valid')

/** Looks at the records and the host of a domain. */
export class DomainChecks {
  readonly #deps: DomainChecksDeps

  constructor(deps: DomainChecksDeps) {
    this.#deps = deps
  }

  /** Whether somebody who controls the domain has set the token, whether the domain leads to this server, and its certificate. */
  check(checked: Checked): Promise<Findings> {
    return this.#check(checked, new OwnAnswer(() => this.#answersItself()))
  }

  /** In their order, some at once. */
  async checkAll(domains: readonly Checked[]): Promise<Findings[]> {
    const own = new OwnAnswer(() => this.#answersItself())
    const findings: Findings[] = []
    for (let from = 0; from < domains.length; from += CHECKED_AT_ONCE) {
      const some = domains.slice(from, from + CHECKED_AT_ONCE)
      findings.push(...(await Promise.all(some.map((checked) => this.#check(checked, own)))))
    }
    return findings
  }

  async #check({ name, token }: Checked, own: OwnAnswer): Promise<Findings> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const [txt, file, dns, certificate] = await Promise.all([
      this.#txtFailure({ name, token }),
      this.#fileFailure({ name, token }, signal),
      this.#dns(name, signal),
      this.#certificate(name, { signal, own }),
    ])
    const isProven = txt === undefined || file === undefined
    return {
      ownership: isProven ? undefined : `${txt} ${file}`,
      // Behind a proxy of another company the addresses differ, and yet the host may answer as we do.
      pointing: file === undefined ? undefined : this.#pointingFailure(name, { ...dns, isProven }),
      addresses: this.#isPublic(dns.addresses) ? dns.addresses.slice(0, ADDRESSES_NAMED_MAX) : [],
      certificate,
    }
  }

  async #certificate(name: string, { signal, own }: Look): Promise<ServerCertificate | undefined> {
    const certificate = await this.#certificateAt(name, signal)
    if (certificate?.result !== 'no_answer') return certificate
    // In some networks a server cannot reach its own public IP address, and then says nothing of what visitors get.
    return (await own.read()) ? certificate : undefined
  }

  /** Whether the host of BASE_URL answers with TLS. */
  async #answersItself(): Promise<boolean> {
    const { hostname } = new URL(this.#deps.baseUrl)
    const certificate = await this.#certificateAt(hostname, AbortSignal.timeout(TIMEOUT_MS))
    return certificate !== undefined && certificate.result !== 'no_answer'
  }

  /** On the port that visitors use. */
  async #certificateAt(host: string, signal: AbortSignal): Promise<ServerCertificate | undefined> {
    const { client, baseUrl } = this.#deps
    const { protocol, port } = new URL(baseUrl)
    if (client === undefined || protocol !== 'https:') return undefined
    return client.certificateOf(`https://${host}${port === '' ? '' : `:${port}`}`, signal)
  }

  async #txtFailure({ name, token }: Checked): Promise<string | undefined> {
    const records = (await this.#deps.lookUpTxt(txtNameOf(name))) ?? []
    // One sentence: records of a name that nobody has proven may be those of a private network.
    const isFound = records.some((record) => record.trim() === proofOf(token))
    return isFound ? undefined : `There is no TXT record ${txtNameOf(name)} with the expected value.`
  }

  async #fileFailure(checked: Checked, signal: AbortSignal): Promise<string | undefined> {
    const { client, baseUrl } = this.#deps
    if (client === undefined) return 'This server does not look for the file.'
    const { protocol, port } = new URL(baseUrl)
    const origin = (scheme: string) => `${scheme}//${checked.name}${port === '' ? '' : `:${port}`}`
    const failure = await this.#fileFailureAt(origin(protocol), checked, signal)
    // Before there is a certificate, the host can answer without one only.
    return failure !== undefined && protocol === 'https:' && port === ''
      ? this.#fileFailureAt(origin('http:'), checked, signal)
      : failure
  }

  #fileFailureAt(origin: string, { name, token }: Checked, signal: AbortSignal): Promise<string | undefined> {
    const url = origin + PROOF_PATH
    return this.#deps.client!.get(url, { accept: 'text/plain', signal }, async (answer) => {
      if ('failure' in answer) return `${url} could not be opened: ${WORDS[answer.failure]}.`
      // A redirect to another host says nothing of who controls this one.
      if (new URL(answer.url).hostname !== name) return `${url} redirects to another host.`
      if (answer.status !== FOUND) return `${url} answers with status ${answer.status}.`
      const text = Buffer.from(await readBytes(answer.body(FILE_BYTES_MAX))).toString()
      return text.trim() === proofOf(token) ? undefined : `${url} has another content.`
    })
  }

  async #dns(name: string, signal: AbortSignal): Promise<Dns> {
    const { resolve, baseUrl } = this.#deps
    const base = new URL(baseUrl).hostname
    const [addresses, expected] = await Promise.all([
      addressesOf(resolve, name, signal),
      addressesOf(resolve, base, signal),
    ])
    return { addresses, expected }
  }

  /** Private and unknown names look the same, except that a server in a private network knows its own domains. */
  #pointingFailure(name: string, { addresses, expected, isProven }: Dns & { isProven: boolean }) {
    const isHere = addresses.some((address) => expected.includes(address))
    const isPublic = this.#isPublic(addresses)
    if (isHere && (isProven || isPublic)) return undefined
    if (!isPublic) return `${name} has no public address.`
    const base = new URL(this.#deps.baseUrl).hostname
    const [ownAddress] = this.#isPublic(expected) ? expected : []
    const here = ownAddress === undefined ? base : `${base} (${ownAddress})`
    return `${name} leads to ${addresses.slice(0, ADDRESSES_NAMED_MAX).join(', ')}, not to ${here}.`
  }

  /** As for requests: one private address among several is enough. */
  #isPublic(addresses: readonly string[]): boolean {
    return addresses.length > 0 && addresses.every((ip) => this.#deps.isAllowedAddress(ip))
  }
}

/** Of the domain, and of the host of BASE_URL. */
type Dns = { addresses: string[]; expected: string[] }

const FOUND = 200

/** Whether this server reaches itself: looked at when it is first needed, and once for all domains that are looked at together. */
class OwnAnswer {
  readonly #look: () => Promise<boolean>
  #answer: Promise<boolean> | undefined

  constructor(look: () => Promise<boolean>) {
    this.#look = look
  }

  read(): Promise<boolean> {
    return (this.#answer ??= this.#look())
  }
}

type Look = { signal: AbortSignal; own: OwnAnswer }

const addressesOf = (resolve: ResolveHost, name: string, signal: AbortSignal): Promise<string[]> =>
  resolve(name, signal).catch((error: unknown) => {
    if (signal.aborted) return []
    throw error
  })

const WORDS: Record<FailureReason, string> = {
  'no-public-address': 'it has no public address',
  port: 'it redirects to another port',
  certificate: 'its certificate is not valid',
  unreachable: 'it cannot be reached',
  refused: 'it redirects too often',
}
