import { parseUrl } from '../../../src/links/destinations/parse-url.ts'
import type { Link } from '../../../src/links/link.ts'
import { linkStatus } from '../../../src/links/link-status.ts'
import type { LinkOrder } from '../../../src/links/lists/link-order.ts'
import type { LinkFilters } from '../../../src/links/lists/list-parameters.ts'
import { DAY_US } from '../../../src/runtime/clock.ts'

export type ModelLink = {
  link: Link
  lastClickedAtUs: number | null
  createdBy: number | null
  importId: number | null
}

/** What a list depends on besides its links. */
export type ModelWorld = {
  nowUs: number
  blockedHost: string
  /** Domains by host, and those of them that do not work. */
  domainIds: Readonly<Record<string, number>>
  brokenDomainIds: readonly number[]
}

export type ModelPage = { search: string; filters: LinkFilters; order: LinkOrder }

/** The IDs of a list as it is documented: all links are filtered and sorted in memory. */
export function modelIds(links: readonly ModelLink[], page: ModelPage, world: ModelWorld): number[] {
  const { search, filters, order } = page
  const matches = links.filter((each) => matchesFilters(each, filters, world) && isFound(each, search, world))
  matches.sort((one, other) => compare(one, other, order))
  const isNewestFirst = order.sort === 'created_at' && order.direction === 'desc'
  const exact = isNewestFirst ? matches.find((each) => isExact(each, search, world)) : undefined
  const sorted = exact === undefined ? matches : [exact, ...matches.filter((each) => each !== exact)]
  return sorted.map(({ link }) => link.id)
}

function matchesFilters(each: ModelLink, filters: LinkFilters, world: ModelWorld): boolean {
  const { link, createdBy, importId } = each
  const { options } = link
  const isArchived = options.is_archived === 1
  const tests: [unknown, () => boolean][] = [
    [filters.archived !== 'include', () => isArchived === (filters.archived === 'only')],
    [filters.id, () => filters.id!.includes(link.id)],
    [filters.external_id, () => options.external_id === filters.external_id],
    [filters.status, () => filters.status!.includes(statusOf(link, world))],
    [filters.needs_attention, () => needsAttention(link, world)],
    [filters.tag, () => hasTags(link, filters)],
    [filters.folder, () => hasAny(filters.folder!, link.folder === null ? [] : [link.folder])],
    [filters.domain, () => filters.domain!.some((host) => world.domainIds[host] === link.domainId)],
    [filters.created_by, () => createdBy !== null && filters.created_by!.includes(createdBy)],
    [filters.import_id, () => importId !== null && filters.import_id!.includes(importId)],
    [filters.created_from, () => link.createdAtUs >= filters.created_from!],
    [filters.created_to, () => link.createdAtUs < filters.created_to!],
    [filters.expires_before, () => (options.expires_at ?? Infinity) < filters.expires_before!],
  ]
  return tests.every(([isSet, test]) => isSet === undefined || isSet === false || test())
}

const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase())
const hasAny = (names: readonly string[], own: readonly string[]): boolean =>
  lower(names).some((name) => lower(own).includes(name))

const hasTags = ({ tags }: Link, { tag: names = [], tag_mode: mode }: LinkFilters): boolean =>
  mode === 'all' ? names.every((name) => hasAny([name], tags)) : hasAny(names, tags)

const hostOf = ({ originalUrl }: Link): string | undefined => parseUrl(originalUrl)?.hostname

const statusOf = (link: Link, { nowUs, blockedHost }: ModelWorld) =>
  linkStatus(
    { clock: { nowUs: () => nowUs }, blocks: { isHostBlocked: (host) => host === blockedHost } },
    link,
  )

function needsAttention(link: Link, { nowUs, blockedHost, brokenDomainIds }: ModelWorld): boolean {
  if (hostOf(link) === blockedHost) return true
  const { expires_at: endsAtUs, max_clicks: max } = link.options
  if (!link.isActive || (endsAtUs !== null && endsAtUs <= nowUs)) return false
  const isEnding = endsAtUs !== null && endsAtUs < nowUs + 7 * DAY_US
  return isEnding || (max !== null && link.opened >= 0.9 * max) || brokenDomainIds.includes(link.domainId)
}

const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/)

function isFound({ link }: ModelLink, search: string, world: ModelWorld): boolean {
  if (search === '') return true
  const { title, originalUrl, code, options } = link
  const text = [title, originalUrl, code, options.notes ?? ''].join('\n').toLowerCase()
  const words = wordsOf(search)
  const others = words.filter((word) => !isShortUrl(word, link, world))
  return (
    words.every((word) => text.includes(word)) ||
    (others.length < words.length && others.every((word) => text.includes(word)))
  )
}

const isShortUrl = (word: string, { domainId, code }: Link, { domainIds }: ModelWorld): boolean => {
  const [host = '', path] = word.split('/')
  return domainIds[host] === domainId && path === code
}

/** Whether the search is the link's code, which no other link has, or has its short URL among the words. */
const isExact = ({ link }: ModelLink, search: string, world: ModelWorld): boolean =>
  link.code === search || wordsOf(search).some((word) => isShortUrl(word, link, world))

function compare(one: ModelLink, other: ModelLink, { sort, direction }: LinkOrder): number {
  const keysOf = ({ link, lastClickedAtUs }: ModelLink) =>
    ({
      created_at: [],
      clicks: [link.clickCount],
      title: [link.title.toLowerCase()],
      last_clicked_at: [lastClickedAtUs ?? 0],
    })[sort]
  if (sort === 'title' && (one.link.title === '') !== (other.link.title === ''))
    return one.link.title === '' ? 1 : -1
  const [keys, others] = [one, other].map((each) => [...keysOf(each), each.link.createdAtUs, each.link.id])
  const at = keys!.findIndex((key, index) => key !== others![index])
  if (at === -1) return 0
  return (keys![at]! < others![at]! ? -1 : 1) * (direction === 'asc' ? 1 : -1)
}
