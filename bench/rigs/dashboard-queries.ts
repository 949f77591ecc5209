import { codeOfLink } from './make-links.ts'
import type { TernServer } from './tern-server.ts'
import { SeededChance } from './traffic.ts'

/** What a user asks about the links that `linkRows` makes. */
export type DashboardQuery = { name: string; path(chance: SeededChance, links: number): string }

/** Words of those links: each is in one of seven. */
const WORDS = 'launch spring coffee garden hotel invoice recipe'.split(' ')

const linkPath = (id: number) => `/api/analytics/links/${codeOfLink(id)}?period=30d`

const aWord = (chance: SeededChance) => chance.oneOf(WORDS)

export const DASHBOARD_QUERIES: DashboardQuery[] = [
  { name: 'links, first page', path: () => '/api/links' },
  {
    name: 'links, any page',
    path: (chance, links) => `/api/links?page=${1 + Math.floor((chance.next() * links) / 15)}`,
  },
  {
    name: 'search, a word in one of seven',
    path: (chance) => `/api/links?search=${aWord(chance)}`,
  },
  {
    name: 'search, two words together',
    path: (chance) => `/api/links?search=${aWord(chance)}%20${aWord(chance)}`,
  },
  {
    name: 'search, a number',
    path: (chance, links) => `/api/links?search=${10_000 + Math.floor(chance.next() * links)}`,
  },
  { name: 'overview', path: () => '/api/analytics/overview' },
  { name: 'clicks of all links, 30 days', path: () => '/api/analytics/clicks?period=30d' },
  { name: 'countries of all links, 30 days', path: () => '/api/analytics/countries?period=30d' },
  { name: 'browsers of all links, 90 days', path: () => '/api/analytics/browsers?period=90d' },
  {
    name: 'all of one link, any, 30 days',
    path: (chance, links) => linkPath(1 + Math.floor(chance.next() * links)),
  },
  { name: 'all of one link, as often clicked', path: (chance, links) => linkPath(chance.skewed(links)) },
  { name: 'all of the most clicked link, 30 days', path: () => linkPath(1) },
]

/** A query that takes seconds runs less often. */
const MS_MAX = 30_000

export type QueryOptions = { links: number; repeats: number; seed: number }

/** How long each answer took, in ms, one after the other; sorted. */
export async function timesOf(
  tern: TernServer,
  query: DashboardQuery,
  options: QueryOptions,
): Promise<number[]> {
  const chance = new SeededChance(options.seed)
  const times: number[] = []
  const endMs = performance.now() + MS_MAX
  while (times.length < options.repeats && performance.now() < endMs) {
    const url = tern.url + query.path(chance, options.links)
    const startedMs = performance.now()
    const answer = await fetch(url, { headers: tern.headers })
    await answer.arrayBuffer()
    times.push(performance.now() - startedMs)
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}.`)
  }
  return times.sort((a, b) => a - b)
}
