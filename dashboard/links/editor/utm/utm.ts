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
  const parameter = parse(url).parameters.find((each) => nameOf(each) === `utm_${name}`)
  const value = parameter?.slice(name.length + 5).replaceAll('+', ' ') ?? ''
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
  if (next.length === 0) return base + fragment
  const hasChanged = written.length > 0 && written[0] !== parameters[at]
  return `${hasChanged ? withPath(base) : base}?${next.join('&')}${fragment}`
}

const withPath = (base: string): string => (/^https?:\/\/[^/]+$/i.test(base) ? `${base}/` : base)

export const withoutUtm = (url: string): string =>
  UTM_NAMES.reduce((left, name) => writeUtm(left, name, ''), url)

/** The parameters that one URL has, written into another. */
export const withUtmOf = (from: string, to: string): string =>
  UTM_NAMES.reduce((url, name) => {
    const value = readUtm(from, name)
    return value === '' ? url : writeUtm(url, name, value)
  }, to)

/** A value that was used before and differs from this one in case only. Undefined if this one was used too. */
export function otherSpelling(value: string, used: readonly string[]): string | undefined {
  if (value === '' || used.includes(value)) return undefined
  const folded = value.trim().toLowerCase()
  return used.find((each) => each.trim().toLowerCase() === folded)
}

type UrlPart = { kind: 'rest' | 'utm' | 'value'; text: string }

/** The URL cut where UTM parameters and their values begin and end. */
export function utmParts(url: string): UrlPart[] {
  const { base, parameters, fragment } = parse(url)
  const parts: UrlPart[] = [{ kind: 'rest', text: base }]
  for (const [at, parameter] of parameters.entries()) {
    parts.push({ kind: 'rest', text: at === 0 ? '?' : '&' })
    const name = UTM_NAMES.find((each) => nameOf(parameter) === `utm_${each}`)
    const valueAt = parameter.indexOf('=') + 1
    if (name === undefined || valueAt === 0) parts.push({ kind: 'rest', text: parameter })
    else
      parts.push(
        { kind: 'utm', text: parameter.slice(0, valueAt) },
        { kind: 'value', text: parameter.slice(valueAt) },
      )
  }
  return [...parts, { kind: 'rest', text: fragment }]
}

export type UtmTemplate = { name: string } & Record<UtmName, string | null>

/** Parameters that the template does not have stay as they are. */
export const applyTemplate = (url: string, template: UtmTemplate): string =>
  UTM_NAMES.reduce((next, name) => {
    const value = template[name]
    return value === null ? next : writeUtm(next, name, value)
  }, url)

/** The template whose values the URL has: the one with the most values, if there are several. */
export function templateOf(url: string, templates: readonly UtmTemplate[]): UtmTemplate | undefined {
  const sizeOf = (template: UtmTemplate) => UTM_NAMES.filter((name) => template[name] !== null).length
  return templates
    .filter((template) => sizeOf(template) > 0 && applyTemplate(url, template) === url)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
}

export const templateFrom = (url: string, name: string): UtmTemplate => ({
  name,
  ...(Object.fromEntries(UTM_NAMES.map((each) => [each, readUtm(url, each) || null])) as Record<
    UtmName,
    string | null
  >),
})

const folded = (name: string) => name.trim().toLowerCase()

/** In place of the template of the same name, or at the end. */
export function withTemplate(templates: readonly UtmTemplate[], added: UtmTemplate): UtmTemplate[] {
  const at = templates.findIndex(({ name }) => folded(name) === folded(added.name))
  return at < 0 ? [...templates, added] : templates.with(at, added)
}

/** `names`: the new name of a template by its old one; null deletes it. */
export const changedTemplates = (
  templates: readonly UtmTemplate[],
  names: ReadonlyMap<string, string | null>,
): UtmTemplate[] =>
  templates.flatMap((template) => {
    const name = names.get(template.name)
    return name === null ? [] : { ...template, name: name?.trim() ?? template.name }
  })
