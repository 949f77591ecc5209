import type { SeededRandom } from '../../simulation/seeded-random.ts'
import type { ModeledImport } from './imported-model.ts'

export type HistoryLink = {
  /** In the store. */
  id: number
  /** Which of the workspaces. */
  workspace: number
  code: string
  createdAtUs: number
  isDeleted: boolean
  tags: readonly string[]
  folder: string | undefined
  utm: Readonly<Record<string, string>>
  /** Undefined if nothing was imported with it. */
  imported?: ModeledImport
}

const TAGS = ['Winter 2026', 'Größe', "it's"]
const FOLDERS = ['Campaigns', 'Shop']
const UTM_VALUES: Readonly<Record<string, readonly string[]>> = {
  utm_source: ['newsletter', 'insta'],
  utm_campaign: ['spring-sale', 'a b & c'],
}

export function randomLink(random: SeededRandom, { workspace, code }: { workspace: number; code: string }) {
  const utm = Object.entries(UTM_VALUES).flatMap(([name, values]) =>
    random.chance(0.4) ? [[name, random.pick(values)]] : [],
  )
  return {
    id: 0,
    workspace,
    code,
    createdAtUs: 0,
    isDeleted: false,
    tags: TAGS.filter(() => random.chance(0.3)),
    folder: random.chance(0.5) ? random.pick(FOLDERS) : undefined,
    utm: Object.fromEntries(utm),
  }
}

export const titleOf = ({ code }: Pick<HistoryLink, 'code'>) => `About ${code}`

/** The body that makes it. */
export const newLink = ({ tags, folder, utm, ...link }: HistoryLink) => ({
  original_url: `https://example.com/${link.code}?${new URLSearchParams(utm)}`,
  custom_code: link.code,
  title: titleOf(link),
  tags,
  ...(folder === undefined ? {} : { folder }),
})

/** Of what links are now; deleted ones are no more. */
export type LinkFilter = { name: string; words: readonly string[]; isNegated: boolean }

export function randomLinkFilter(
  random: SeededRandom,
  links: readonly HistoryLink[],
  host: string,
): LinkFilter {
  const words: Readonly<Record<string, () => readonly string[]>> = {
    tag: () => [inSomeCase(random, random.pick(TAGS)), random.pick([...TAGS, 'no such tag'])],
    folder: () => [inSomeCase(random, random.pick(FOLDERS))],
    domain: () => [random.pick([host, host, 'elsewhere.example'])],
    // One code alone is a report of that link.
    short_code: () => [random.pick(links).code, random.pick(links).code, 'no-such-code'],
    ...Object.fromEntries(
      Object.entries(UTM_VALUES).map(([name, values]) => [name, () => [random.pick(values)]]),
    ),
  }
  const name = random.pick(Object.keys(words))
  return { name, words: words[name]!(), isNegated: random.chance(0.3) }
}

const inSomeCase = (random: SeededRandom, text: string) => (random.chance(0.3) ? text.toUpperCase() : text)

/** UTM parameters with which short URLs are opened. The first are the most frequent. */
export const VISITOR_UTM = [
  '',
  'utm_source=newsletter',
  'utm_source=poster&utm_campaign=a%20b%20%26%20c',
  'utm_medium=email',
]

/** What one link may be filtered by, too. */
export const isUtm = ({ name }: LinkFilter): boolean => name.startsWith('utm_')
export const withoutUtm = (filters: readonly LinkFilter[]) => filters.filter((filter) => !isUtm(filter))

/** Whether a click with UTM parameters of its own passes the filters by them. */
export function passesUtmFilters(text: string, filters: readonly LinkFilter[]): boolean {
  const own = new URLSearchParams(text)
  return filters
    .filter(isUtm)
    .every(({ name, words, isNegated }) => words.includes(own.get(name) ?? '') !== isNegated)
}

/** Whether clicks of the link pass. Those of deleted links do unless something has to hold of the link. */
export function passesLinkFilters(link: HistoryLink, filters: readonly LinkFilter[], host: string): boolean {
  if (link.isDeleted) return filters.every(({ isNegated }) => isNegated)
  return filters.every(({ name, words, isNegated }) => hasOneOf(link, { name, words, host }) !== isNegated)
}

function hasOneOf(
  { tags, folder, code, utm }: HistoryLink,
  { name, words, host }: { name: string; words: readonly string[]; host: string },
): boolean {
  const isListed = (text: string | undefined) =>
    words.some((word) => word.toLowerCase() === text?.toLowerCase())
  if (name === 'tag') return tags.some(isListed)
  if (name === 'folder') return isListed(folder)
  if (name === 'domain') return words.includes(host)
  return words.includes((name === 'short_code' ? code : utm[name]) ?? '')
}

/** Reports of clicks by what their links are. */
export const LINK_GROUPS = ['tags', 'folders', 'domains', 'utm'] as const
export const UTM_REPORTED = Object.keys(UTM_VALUES).map((name) => name.slice('utm_'.length))

export const isLinkGroup = (report: string): boolean => (LINK_GROUPS as readonly string[]).includes(report)

/** `text`: the UTM parameters of the click. */
type Groups = { field: string; of(link: HistoryLink, text: string): readonly string[] }

/** The field of rows with the name of a group, and the groups of a link's clicks; '' for none. */
export function groupsOf(report: string, { host, utm }: { host: string; utm: string }): Groups {
  if (report === 'tags') return { field: 'tag', of: ({ tags }) => (tags.length === 0 ? [''] : tags) }
  if (report === 'folders') return { field: 'folder', of: ({ folder = '' }) => [folder] }
  if (report === 'domains') return { field: 'domain', of: () => [host] }
  const name = `utm_${utm}`
  const of = (link: HistoryLink, text: string) =>
    text === '' ? (link.utm[name] ?? '') : (new URLSearchParams(text).get(name) ?? '')
  return { field: 'value', of: (link, text) => [of(link, text)] }
}
