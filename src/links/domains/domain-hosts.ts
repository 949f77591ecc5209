import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { foldCode } from '../../codes/fold-code.ts'

/** What a host has that this server refuses: no code is on it. */
export const NO_DOMAIN = -1

/** Which domain each host has: the part of `Domains` that runs on every visit. */
export class DomainHosts {
  #ids: ReadonlyMap<string, number> = new Map()
  #ignoringCase: ReadonlySet<number> = new Set()
  readonly #defaultHost: string | undefined

  /** `defaultHost`: the only host of the default domain; undefined: it has every host that no other has. */
  constructor(defaultHost: string | undefined) {
    this.#defaultHost = defaultHost
  }

  /** NO_DOMAIN: the host is refused, whatever unknown hosts get. `ignoringCase`: domains whose codes are folded. */
  protected setHosts(ids: ReadonlyMap<string, number>, ignoringCase: ReadonlySet<number>): void {
    this.#ids = ids
    this.#ignoringCase = ignoringCase
  }

  /** The code by which a link on the domain is known, of what somebody has typed. */
  codeOn(domainId: number, code: string): string {
    return this.ignoresCase(domainId) ? foldCode(code) : code
  }

  /** Whether its codes are folded. */
  ignoresCase(domainId: number): boolean {
    return this.#ignoringCase.has(domainId)
  }

  protected hasHost(name: string): boolean {
    return (this.#ids.get(name) ?? NO_DOMAIN) !== NO_DOMAIN
  }

  /** The domain that a Host header names. Without other domains than the default it looks at nothing. */
  idOf(host: string): number {
    if (this.#ids.size === 0 && this.#defaultHost === undefined) return DEFAULT_DOMAIN
    return this.#ids.get(host) ?? this.#idOfName(hostnameOf(host))
  }

  #idOfName(name: string): number {
    const isDefault = this.#defaultHost === undefined || this.#defaultHost === name
    return this.#ids.get(name) ?? (isDefault ? DEFAULT_DOMAIN : NO_DOMAIN)
  }
}

/** Of a Host header: without the port and the root dot, in lower case. */
export const hostnameOf = (host: string): string => host.toLowerCase().replace(/\.?(?::\d{1,5})?$/, '')
