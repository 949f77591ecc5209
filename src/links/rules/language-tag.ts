/** Language, script and region: what browsers send. Anything longer stays as it is. */
const PLAIN_TAG = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/
/** By ISO 639 and CLDR; `no` is what browsers call `nb`. Intl knows them too, but visitors can invent tags, and it takes 10 µs for each. */
const OLD_NAMES = new Map(
  Object.entries({ iw: 'he', in: 'id', ji: 'yi', jw: 'jv', mo: 'ro', no: 'nb', sh: 'sr-latn', tl: 'fil' }),
)

/** In lower case, with hyphens and by today's names: `he` for `iw`, `id` for `in`. */
export function languageTag(text: string): string {
  const tag = text.toLowerCase().replaceAll('_', '-')
  const language = primaryTag(tag)
  const today = OLD_NAMES.get(language)
  return today === undefined ? tag : today + tag.slice(language.length)
}

/** `pt` for `pt-br`. */
export function primaryTag(tag: string): string {
  const end = tag.indexOf('-')
  return end === -1 ? tag : tag.slice(0, end)
}

/**
 * The tags that suit a visitor who asks for one, the best first: those of RFC 4647, 3.4, and those that differ by a script
 * that goes without saying, as for `zh-TW`: `zh-tw`, `zh-hant-tw`, `zh-hant`, `zh`.
 */
export function suitableTags(tag: string): readonly string[] {
  const tags = new Set<string>()
  for (let each = tag; each !== ''; each = withoutLastSubtag(each)) {
    tags.add(each)
    // What is left of `zh-tw` would be simplified Chinese.
    if (each === tag || each.includes('-')) for (const likely of likelyTags(each)) tags.add(likely)
  }
  return [...tags]
}

function likelyTags(tag: string): string[] {
  if (!PLAIN_TAG.test(tag)) return []
  const { language, script, region } = new Intl.Locale(tag)
  const likely = new Intl.Locale(region === undefined ? language : `${language}-${region}`).maximize().script
  if (likely === undefined) return []
  const written = `${language}-${likely}`.toLowerCase()
  if (script === undefined)
    return region === undefined ? [written] : [`${written}-${region}`.toLowerCase(), written]
  return script === likely && region !== undefined ? [`${language}-${region}`.toLowerCase()] : []
}

/** Together with a single letter before it, which means nothing by itself. */
function withoutLastSubtag(tag: string): string {
  const shorter = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  return shorter.at(-2) === '-' ? shorter.slice(0, -2) : shorter
}
