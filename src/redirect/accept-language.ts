import { memoize } from '../clicks/visitor/memoize.ts'
import { languageTag, primaryTag, suitableTags } from '../links/rules/language-tag.ts'

/** What is read of the header: browsers send a few languages. */
const HEADER_LENGTH_MAX = 1_000
const RANGES_MAX = 20
const HEADERS_REMEMBERED_MAX = 1_000
const TAGS_REMEMBERED_MAX = 1_000

/** As browsers and servers read it: also `en_US`, `q=.5` and `q=1.0000`. */
const RANGE = /^([a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)(?:\s*;\s*q\s*=\s*(\d{1,3}(?:\.\d*)?|\.\d+))?$/i

/** The languages of an Accept-Language header (RFC 9110, 12.5.4) by today's names in lower case, the preferred ones first. */
export const acceptedLanguages = (header: string): readonly string[] =>
  rememberedLanguages(header.slice(0, HEADER_LENGTH_MAX))

const rememberedLanguages = memoize(HEADERS_REMEMBERED_MAX, readHeader)

function readHeader(header: string): readonly string[] {
  const ranges = header.split(',', RANGES_MAX).flatMap(readRange)
  return ranges.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag)
}

function readRange(text: string): { tag: string; quality: number }[] {
  const [, tag, quality = '1'] = RANGE.exec(text.trim()) ?? []
  const weight = Number(quality)
  return tag === undefined || weight === 0 || weight > 1 ? [] : [{ tag: languageTag(tag), quality: weight }]
}

const rememberedTags = memoize(TAGS_REMEMBERED_MAX, suitableTags)

/** The one of `available` that suits best: `de-AT` finds `de`, and `zh-TW` finds `zh-Hant`, but `de` does not find `de-AT`. */
export function bestLanguage(
  accepted: readonly string[],
  available: ReadonlySet<string>,
): string | undefined {
  const detailed = detailedLanguages(available)
  for (const range of accepted) {
    const language = primaryTag(range)
    if (detailed.has(language)) {
      for (const tag of rememberedTags(range)) if (available.has(tag)) return tag
    } else if (available.has(language)) return language
  }
  return undefined
}

const detailedOf = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()

/** Those that are available with a script or region. Scripts are looked up for no others: visitors can name any number of languages. */
function detailedLanguages(available: ReadonlySet<string>): ReadonlySet<string> {
  const details = detailedOf.get(available)
  if (details !== undefined) return details
  const detailed = new Set([...available].filter((tag) => tag.includes('-')).map(primaryTag))
  detailedOf.set(available, detailed)
  return detailed
}

/** What reports can be filtered by. */
const LANGUAGE = /^[a-z]{2,8}$/

/** The first language of the header without its region: `pt` for `pt-BR`; '' if there is none. */
export function primaryLanguage(header: string | null): string {
  return header === null ? '' : rememberedPrimary(header.slice(0, HEADER_LENGTH_MAX))
}

const rememberedPrimary = memoize(HEADERS_REMEMBERED_MAX, (header) => {
  const language = primaryTag(readHeader(header)[0] ?? '')
  return LANGUAGE.test(language) ? language : ''
})
