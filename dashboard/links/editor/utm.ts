// The UTM parameters of a destination. They are part of the URL and stored nowhere else.

export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type UtmName = (typeof UTM_NAMES)[number]

/** The URL without its query, the parameters as they are written, and the fragment with its `#`. */
function parse(url: string): { base: string; parameters: string[]; fragment: string } {
  const [, base = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url)!
  return { base, parameters: query ? query.split('&') : [], fragment }
}

const nameOf = (parameter: string) => parameter.split('=', 1)[0]!.toLowerCase()

export function readUtm(url: string, name: UtmName): string {
  const found = parse(url).parameters.find((each) => nameOf(each) === `utm_${name}`)
  const value = found?.slice(name.length + 5).replaceAll('+', ' ') ?? ''
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** An empty value removes the parameter. All others stay exactly as they are. */
export function writeUtm(url: string, name: UtmName, value: string): string {
  const { base, parameters, fragment } = parse(url)
  const written = value === '' ? [] : [`utm_${name}=${encodeURIComponent(value)}`]
  const at = parameters.findIndex((each) => nameOf(each) === `utm_${name}`)
  const others = parameters.filter((each) => nameOf(each) !== `utm_${name}`)
  const next = others.toSpliced(at < 0 ? others.length : at, 0, ...written)
  return base + (next.length === 0 ? '' : `?${next.join('&')}`) + fragment
}

export const withoutUtm = (url: string): string =>
  UTM_NAMES.reduce((left, name) => writeUtm(left, name, ''), url)
