import type { Config } from '../../config/config.ts'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { codePath } from '../../codes/unusual-code.ts'
import type { LinkKey } from '../link-key.ts'
import { DomainHosts, hostnameOf, NO_DOMAIN } from './domain-hosts.ts'
import { canonicalHost, type OwnHosts } from '../destinations/own-hosts.ts'

/** A domain that was verified, as plain data for messages between threads. */
export type Domain = {
  id: number
  /** As a URL has it, without a port. */
  host: string
  /** False once its workspace has removed it or is deleted: its links are kept, but nothing is served. */
  isServed: boolean
  /** Null: the operator's, for links of every workspace. NOBODY: that of a workspace which is deleted. */
  workspaceId: number | null
  /** Where its workspace makes new links unless they say otherwise. */
  isDefault: boolean
  /** Its codes are folded. */
  ignoresCase: boolean
  /** What its short URLs have before the code: `/s`, or ''. */
  pathPrefix: string
  homeUrl: string | null
  notFoundUrl: string | null
  expiredUrl: string | null
}

/** No workspace has this ID. */
export const NOBODY = 0

type DomainSettings = Pick<Config, 'baseUrl' | 'unknownHosts'>

/** Every domain, in the memory of each thread. */
export class Domains extends DomainHosts implements OwnHosts {
  readonly #base: URL
  /** '' if BASE_URL has no path. */
  readonly #basePath: string
  #byId: ReadonlyMap<number, Domain> = new Map()

  constructor({ baseUrl, unknownHosts }: DomainSettings) {
    super(unknownHosts === 'refuse' ? new URL(baseUrl).hostname : undefined)
    this.#base = new URL(baseUrl)
    this.#basePath = this.#base.pathname === '/' ? '' : this.#base.pathname
  }

  replace(all: readonly Domain[]): void {
    // That of BASE_URL is here for its case only.
    const domains = all.filter(({ id }) => id !== DEFAULT_DOMAIN)
    const usable = domains.filter(({ isServed }) => isServed)
    // Addresses on them may be printed, so nobody else may decide where they lead.
    const former = domains.filter(({ isServed, host }) => !isServed && host !== this.#base.hostname)
    const ids = former.map(({ host }): [string, number] => [host, NO_DOMAIN])
    const hosts = new Map([...ids, ...usable.map(({ host, id }): [string, number] => [host, id])])
    this.setHosts(hosts, new Set(all.flatMap(({ id, ignoresCase }) => (ignoresCase ? id : []))))
    this.#byId = new Map(domains.map((domain) => [domain.id, domain]))
  }

  /** Undefined for the default domain. */
  get(id: number): Domain | undefined {
    return this.#byId.get(id)
  }

  has(host: string, path: string): boolean {
    // Something else may be at its other paths.
    if (host === canonicalHost(this.#base)) return `${path}/`.startsWith(`${this.#basePath}/`)
    const [name = '', port = ''] = host.split(':')
    return this.hasHost(name) && port === this.#base.port
  }

  /** Whether short URLs can be on this name, without a port. */
  serves(name: string): boolean {
    const host = hostnameOf(name)
    return host === this.#base.hostname || this.hasHost(host)
  }

  /** The domain with this host on which a workspace may have links. */
  idFor(workspaceId: number, host: string): number | undefined {
    return this.idsFor(workspaceId, host)[0]
  }

  /** Those with this host on which a workspace may have links: one is served at most, and is first; others were before it. */
  idsFor(workspaceId: number, host: string): number[] {
    const name = hostnameOf(host)
    if (name === this.#base.hostname) return [DEFAULT_DOMAIN]
    const all = this.ofWorkspace(workspaceId).filter((domain) => domain.host === name)
    return all.sort((a, b) => Number(b.isServed) - Number(a.isServed)).map(({ id }) => id)
  }

  /** The domain that is served at this host and no other: unlike `idOf`, a host that is not served has none. */
  servedAt(host: string): number {
    return this.serves(host) ? this.idOf(host) : NO_DOMAIN
  }

  /** Those of the workspace and those of the operator, in the order in which they were added. */
  ofWorkspace(workspaceId: number): Domain[] {
    return [...this.#byId.values()].filter(
      (domain) => domain.workspaceId === workspaceId || domain.workspaceId === null,
    )
  }

  /** Where new links of the workspace go. */
  defaultOf(workspaceId: number): number {
    if (this.#byId.size === 0) return DEFAULT_DOMAIN
    const own = this.ofWorkspace(workspaceId).find(({ isDefault, isServed }) => isDefault && isServed)
    return own?.id ?? DEFAULT_DOMAIN
  }

  /** Where the workspace can make links, as hosts, its default first. */
  hostsForNewLinks(workspaceId: number): string[] {
    const usable = this.ofWorkspace(workspaceId).filter(({ isServed }) => isServed)
    const ids = new Set([this.defaultOf(workspaceId), DEFAULT_DOMAIN, ...usable.map(({ id }) => id)])
    return [...ids].map((id) => this.hostOf(id))
  }

  /** What short URLs of the domain have between the host and the code: `/go`. That of the default domain is the path of BASE_URL. */
  prefixOf(id: number): string {
    return id === DEFAULT_DOMAIN ? this.#basePath : (this.#byId.get(id)?.pathPrefix ?? '')
  }

  /** `https://go.example/s`: what the URLs of the domain begin with. As BASE_URL, with the host and the prefix of the domain. */
  rootOf(id: number): string {
    const domain = this.#byId.get(id)
    if (domain === undefined) return this.#base.origin + this.#basePath
    const { protocol, port } = this.#base
    return `${protocol}//${domain.host}${port === '' ? '' : `:${port}`}${domain.pathPrefix}`
  }

  /** As the API has it: with the port, unless it is the usual one. */
  hostOf(id: number): string {
    return new URL(this.rootOf(id)).host
  }

  /** `go.example/s`: what people read before the code. */
  prefixedHostOf(id: number): string {
    return this.hostOf(id) + this.prefixOf(id)
  }

  shortUrlOf({ domainId, code }: LinkKey): string {
    return `${this.rootOf(domainId)}/${codePath(code)}`
  }
}
