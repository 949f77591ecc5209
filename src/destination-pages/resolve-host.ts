import { lookup, Resolver } from 'node:dns/promises'

/** Every IP address of a name; [] if there is none. Rejects only when the signal aborts. */
export type ResolveHost = (name: string, signal: AbortSignal) => Promise<string[]>

/** The TXT records of a name; undefined if its DNS servers do not answer. */
export type LookUpTxt = (name: string) => Promise<string[] | undefined>

const TRY_MS = 2_000
const TRIES = 2

/**
 * Asks the DNS servers of the machine. Not getaddrinfo, which would wait on the threads that write the journal, cannot be
 * canceled, and reads /etc/hosts and search domains, where only private names are.
 */
export const dnsResolver =
  (servers?: readonly string[]): ResolveHost =>
  async (name, signal) => {
    signal.throwIfAborted()
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      signal.throwIfAborted()
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** As other programs of the machine resolve names: for commands, whose users may name hosts that only their machine knows. */
export const systemResolver: ResolveHost = async (name, signal) => {
  signal.throwIfAborted()
  const answers = await lookup(name, { all: true }).catch(() => [])
  signal.throwIfAborted()
  return answers.map(({ address }) => address)
}

/** Records of more than 255 bytes are in several parts. */
export const dnsTxtLookup =
  (servers?: readonly string[]): LookUpTxt =>
  async (name) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as { code?: string }
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined
    }
  }
