import { memoize } from '../clicks/visitor/memoize.ts'

/** What is read of the header: browsers send a few languages. */
const HEADER_LENGTH_MAX = 1_000
const RANGES_MAX = 20
const HEADERS_REMEMBERED_MAX = 1_000

const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i

/** The languages of an Accept-Language header (RFC 9110, 12.5.4) in lower case, the preferred ones first. */
export const acceptedLanguages = (header: string): readonly string[] =>
  rememberedLanguages(header.slice(0, HEADER_LENGTH_MAX))

const rememberedLanguages = memoize(HEADERS_REMEMBERED_MAX, readHeader)

function readHeader(header: string): readonly string[] {
  const ranges = header.split(',', RANGES_MAX).flatMap(readRange)
  return ranges.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag)
}

function readRange(text: string): { tag: string; quality: number }[] {
  const [, tag, quality = '1'] = RANGE.exec(text.trim()) ?? []
  return tag === undefined || Number(quality) === 0
    ? []
    : [{ tag: tag.toLowerCase(), quality: Number(quality) }]
}

/** The one of `available` that suits best (lookup in RFC 4647, 3.4): `de-AT` finds `de`, but `de` does not find `de-AT`. */
export function bestLanguage(
  accepted: readonly string[],
  available: ReadonlySet<string>,
): string | undefined {
  for (const range of accepted) {
    for (let tag = range; tag !== ''; tag = withoutLastSubtag(tag)) if (available.has(tag)) return tag
  }
  return undefined
}

/** Together with a single letter before it, which means nothing by itself. */
function withoutLastSubtag(tag: string): string {
  const shorter = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  return shorter.at(-2) === '-' ? shorter.slice(0, -2) : shorter
}

/** `pt` for `pt-BR`. */
export function primaryLanguage(accepted: readonly string[]): string {
  const first = accepted[0] ?? ''
  const end = first.indexOf('-')
  return end === -1 ? first : first.slice(0, end)
}
