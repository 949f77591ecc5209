import { isIP, isIPv6, type LookupFunction } from 'node:net'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Refusal } from '../errors/refusal.ts'
import { withoutRootDot } from '../links/destinations/blocks.ts'
import { type DestinationRules, readDestination, WEB_SCHEMES } from '../links/destinations/destination.ts'
import { isPrivateHost } from '../links/destinations/private-hosts.ts'
import { decodedBody } from './decoded-body.ts'
import type { HostLimit } from './host-limit.ts'
import type { ResolveHost } from './resolve-host.ts'
import { readServerCertificate, type ServerCertificate } from './server-certificate.ts'

const REDIRECTS_MAX = 5
const HEADER_BYTES_MAX = 16 * 1024
const HTTP_PORT = 80
const HTTPS_PORT = 443
const REFERENCE_CHARS_MAX = 8_192
/** Those of web servers: what listens on others is not for this server to find out. */
export const WEB_PORTS: readonly number[] = [HTTP_PORT, HTTPS_PORT, 8080, 8443]
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type GuardedClientDeps = {
  resolve: ResolveHost
  /** Whether to connect to an IP address. Only commands and tests pass anything other than isPublicAddress. */
  isAllowedAddress(ip: string): boolean
  /** Whether to resolve a name. Absent: unless it is one of private networks. */
  isAllowedName?(name: string): boolean
  isAllowedPort(port: number): boolean
  /** Undefined for commands, which operators run. */
  hostLimit?: Pick<HostLimit, 'count'> | undefined
  /** Applied to every URL, including those of redirects. Private hosts are refused whatever `allowPrivate` says. */
  destinationRules: DestinationRules
  userAgent: string
  /** For everything: names, connections, redirects and the body. */
  timeoutMs: number
  /** In PEM, for `certificateOf`. Only tests pass any; otherwise those that the machine trusts. */
  authorities?: readonly string[] | undefined
}

/**
 * `no-public-address`: the name is unknown or private; callers do not learn which. `refused`: a URL that links may not lead to, or
 * too many redirects. `unreachable`: ports that are closed, that a firewall drops and that speak another protocol are one.
 */
export const FAILURE_REASONS = ['no-public-address', 'port', 'certificate', 'unreachable', 'refused'] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Where a request ended, which is another URL after redirects. */
export type Failed = { url: string; failure: FailureReason }
export type Answered = {
  url: string
  status: number
  headers: IncomingHttpHeaders
  /** Decoded; ends at the limit of bytes. */
  body(bytesMax: number): AsyncIterable<Uint8Array>
}

type CheckedHost = { url: URL; name: string; isName: boolean; addresses: readonly string[] }
type RequestOptions = {
  accept: string
  signal: AbortSignal
  /**
   * Headers with a key, which is for the server of the first URL only. A redirect to another server is not followed then, because
   * its URL may have the key too: it is the answer.
   */
  credentials?: Record<string, string> | undefined
}

/** The only code that connects to hosts that others name: GET, without cookies, and looks at certificates. */
export class GuardedClient {
  readonly #deps: GuardedClientDeps

  constructor(deps: GuardedClientDeps) {
    this.#deps = deps
  }

  /** Follows redirects and passes on the last response. The connection is closed when `read` is done. */
  async get<Value>(
    url: string,
    { signal, ...options }: RequestOptions,
    read: (answer: Answered | Failed) => Promise<Value>,
  ): Promise<Value> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#deps.timeoutMs)])
    const end = new AbortController()
    try {
      return await read(await this.#follow(url, { ...options, signal: AbortSignal.any([limit, end.signal]) }))
    } finally {
      end.abort()
    }
  }

  /** The certificate at an https URL, valid or not; undefined where no URL may lead. Requests nothing. */
  async certificateOf(url: string, signal: AbortSignal): Promise<ServerCertificate | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#deps.timeoutMs)])
    const host = await this.#check(url, limit)
    if ('failure' in host) return undefined
    const { name, addresses } = host
    const port = portOf(host.url)
    const { authorities } = this.#deps
    return readServerCertificate({ name, port, lookup: lookupOf(addresses), authorities }, limit)
  }

  async #follow(start: string, wanted: RequestOptions): Promise<Answered | Failed> {
    let url = start
    try {
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        const host = await this.#check(url, wanted.signal)
        if ('failure' in host) return { url, ...host }
        const message = await this.#send(host, wanted)
        const { location } = message.headers
        if (!REDIRECTS.has(message.statusCode ?? 0) || location === undefined) return answered(url, message)
        const next = joinUrl(location, url)
        const isForNext = next !== undefined && isSameServer(url, next)
        if (wanted.credentials !== undefined && !isForNext) return answered(url, message)
        message.destroy()
        if (next === undefined) break
        url = next
      }
      return { url, failure: 'refused' }
    } catch (error) {
      if (error instanceof Refusal) throw error
      return { url, failure: failureOf(error) }
    }
  }

  /** Before every connection, so that a redirect leads nowhere that the first URL could not. Throws over the limit of a host. */
  async #check(text: string, signal: AbortSignal): Promise<CheckedHost | { failure: FailureReason }> {
    const { destinationRules, isAllowedPort } = this.#deps
    const read = readDestination(text, { ...destinationRules, allowPrivate: true, schemes: WEB_SCHEMES })
    if (!('href' in read)) return { failure: 'refused' }
    const url = new URL(read.href)
    if (!isAllowedPort(portOf(url))) return { failure: 'port' }
    const name = withoutRootDot(url.hostname.replace(/^\[|\]$/g, ''))
    const isName = isIP(name) === 0
    const { isAllowedName = isPublicName } = this.#deps
    if (isName && !isAllowedName(name)) return { failure: 'no-public-address' }
    this.#deps.hostLimit?.count(name)
    return this.#resolve({ url, name, isName }, signal)
  }

  async #resolve(
    { url, name, isName }: Omit<CheckedHost, 'addresses'>,
    signal: AbortSignal,
  ): Promise<CheckedHost | { failure: FailureReason }> {
    const { resolve, isAllowedAddress } = this.#deps
    // Names whose DNS servers do not answer are unknown, too.
    const addresses = isName ? await resolve(name, signal).catch(() => []) : [name]
    const isAllowed = addresses.length > 0 && addresses.every(isAllowedAddress)
    return isAllowed ? { url, name, isName, addresses } : { failure: 'no-public-address' }
  }

  async #send(
    { url, name, isName, addresses }: CheckedHost,
    { accept, signal, credentials }: RequestOptions,
  ): Promise<IncomingMessage> {
    // Only now: it takes as long to load as a tenth of the program.
    const { request: send } =
      url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    return new Promise((resolve, reject) => {
      const request = send({
        hostname: name,
        port: url.port === '' ? undefined : Number(url.port),
        path: url.pathname + url.search,
        headers: {
          ...credentials,
          'User-Agent': this.#deps.userAgent,
          Accept: accept,
          'Accept-Encoding': 'gzip, deflate, br',
        },
        // A connection of its own, which no proxy setting of the environment applies to.
        agent: false,
        // Connects to the addresses that were checked: a second answer of the DNS may be another one.
        lookup: lookupOf(addresses),
        servername: isName ? name : '',
        // Whatever the environment says.
        rejectUnauthorized: true,
        maxHeaderSize: HEADER_BYTES_MAX,
        signal,
      })
      request.on('response', resolve)
      request.on('error', reject)
      request.on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('The server wants to speak another protocol.'))
      })
      // Whatever else a server does to be neither a response nor an error.
      signal.addEventListener('abort', () => reject(signal.reason))
      request.end()
    })
  }
}

/** IPv4 first: many machines have no way out for IPv6. */
const lookupOf = (ips: readonly string[]): LookupFunction => {
  const addresses = ips
    .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    .toSorted((one, other) => one.family - other.family)
  return (_, { all }, callback) => {
    if (all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}

/** Undefined if it is no URL. References are short, so the parser's cost is bounded. */
export function joinUrl(reference: string, base: string): string | undefined {
  const isUrl = reference.length <= REFERENCE_CHARS_MAX && URL.canParse(reference, base)
  return isUrl ? new URL(reference, base).href : undefined
}

const isPublicName = (name: string): boolean => !isPrivateHost(name)

/** Whether a key for one URL may be sent to another: also where http becomes https on their usual ports, but not the reverse. */
export function isSameServer(from: string, to: string): boolean {
  const one = new URL(from)
  const other = new URL(to)
  const isUpgrade = one.protocol === 'http:' && other.protocol === 'https:' && !one.port && !other.port
  return one.hostname === other.hostname && (one.origin === other.origin || isUpgrade)
}

/** Of a redirect that was not followed, without what may be a secret. */
export function hostOf(location: string, base: string): string {
  const url = joinUrl(location, base)
  return url === undefined ? 'no URL' : new URL(url).host
}

const answered = (url: string, message: IncomingMessage): Answered => ({
  url,
  status: message.statusCode ?? 0,
  headers: message.headers,
  body: (bytesMax) => decodedBody(message, bytesMax),
})

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(port)

function failureOf(error: unknown): FailureReason {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code)
    ? 'certificate'
    : 'unreachable'
}
