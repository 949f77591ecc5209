import { couldBeCode } from '../codes/custom-code.ts'
import { isReserved } from '../codes/reserved.ts'

const GOOD_HOSTS_MAX = 1000
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Path and query of an absolute URL; `new URL` would be many times slower. */
export const targetOf = (url: string): string => url.slice(url.indexOf('/', 8))

/** What a path of one segment asks for, unless it is one of our own pages. */
export function codeOf(target: string): string | undefined {
  const queryAt = target.indexOf('?')
  const segment = queryAt === -1 ? target.slice(1) : target.slice(1, queryAt)
  return couldBeCode(segment) && !isReserved(segment) ? segment : undefined
}

/** RFC 9112 §3.2: a missing, repeated or malformed Host is answered with 400. Bun joins repeated ones with a comma. */
export function rememberedHosts(): (host: string | null) => boolean {
  const good = new Set<string>()
  return (host) => {
    if (host === null) return false
    if (good.has(host)) return true
    if (!HOST.test(host)) return false
    if (good.size >= GOOD_HOSTS_MAX) good.clear()
    good.add(host)
    return true
  }
}
