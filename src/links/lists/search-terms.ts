import { pastedCode } from '../../codes/forgiven-code.ts'
import type { LinkKey } from '../link-key.ts'
import { behindPrefix } from '../domains/behind-prefix.ts'
import type { Domains } from '../domains/domains.ts'
import { pointsToUs } from '../destinations/own-hosts.ts'
import { foldSearch } from '../../store/fold-search.ts'
import { parseUrl } from '../destinations/parse-url.ts'

/** Whose URLs are short URLs, and on which domain. */
type ShortUrlHosts = Pick<Domains, 'has' | 'idOf' | 'codeOn' | 'prefixOf'>

/** What a search asks for. */
export type SearchTerms = {
  /** Folded; all of them must be in the link's text. */
  words: string[]
  /** A short URL among them stands for this link as well, if the other words are in its text. */
  shortUrl: (LinkKey & { otherWords: string[] }) | undefined
}

/** Each word is looked for in each text. More are searched for as they stand: it is a title that was pasted. */
const SEARCH_WORDS_MAX = 20

/** Scheme, host, and what is behind it. */
const SHORT_URL = /^(https?:\/\/)?([^/?#@\\]+)\/(.+)$/i

/** The words of a search, wherever they stand; '' asks for nothing. */
export function searchTermsOf(search: string, domains: ShortUrlHosts): SearchTerms {
  const text = search.trim()
  const words = text.split(/\s+/)
  if (words.length > SEARCH_WORDS_MAX) return { words: [foldSearch(text)], shortUrl: undefined }
  const keys = words.map((word) => keyOfShortUrl(word, domains))
  const at = keys.findIndex((found) => found !== undefined)
  return {
    words: folded(words),
    shortUrl: at === -1 ? undefined : { ...keys[at]!, otherWords: folded(words.toSpliced(at, 1)) },
  }
}

const folded = (words: readonly string[]): string[] => [...new Set(words.map(foldSearch))]

function keyOfShortUrl(word: string, domains: ShortUrlHosts): LinkKey | undefined {
  const [, scheme = 'http://', host = '', path = ''] = SHORT_URL.exec(word) ?? []
  const url = path === '' ? null : parseUrl(`${scheme}${host}/${path}`)
  if (url === null || !pointsToUs(url, domains)) return undefined
  const inner = behindPrefix({ host: url.host, path: `/${path}` }, domains)
  const code = pastedCode(inner?.path.slice(1) ?? path)
  const domainId = domains.idOf(url.host)
  return code === undefined ? undefined : { domainId, code: domains.codeOn(domainId, code) }
}
