import { openStore } from '../../../src/store/open-store.ts'
import { ClickLoad, type LoadTally } from '../../rigs/program/click-load.ts'
import type { OperatedFolder } from '../../rigs/program/operated-folder.ts'

/** `max_clicks` by code. The first is reached soon, the last never. */
const LIMITS = new Map([
  ['limited-soon', 25],
  ['limited-later', 400],
  ['limited-never', 1_000_000_000],
])
export const LIMITED = [...LIMITS.keys()]

const VISITORS = 6

export async function makeLimitedLinks({ api }: OperatedFolder): Promise<void> {
  const links = [...LIMITS].map(([code, limit]) => ({
    original_url: `https://example.com/${code}`,
    custom_code: code,
    max_clicks: limit,
  }))
  const { status, body } = await api('POST', '/api/bulk-shorten', { links })
  if (status !== 201) throw new Error(`The links were not made: ${status} ${body}`)
}

export const visitLimitedLinks = (port: number, random: () => number): ClickLoad =>
  new ClickLoad({ port, clients: VISITORS, codes: LIMITED, random })

/** What the store says has been spent. */
export async function openingsOf({ settings }: OperatedFolder): Promise<Map<string, number>> {
  const store = await openStore(
    { dataDir: settings.DATA_DIR, databaseUrl: settings.DATABASE_URL },
    'same-thread',
  )
  const rows = await store.db
    .selectFrom('link_openings')
    .innerJoin('links', 'links.id', 'link_openings.link_id')
    .select(['code', 'opened'])
    .execute()
  await store.close()
  return new Map(rows.map(({ code, opened }) => [code, opened]))
}

type Seen = {
  tally: LoadTally
  counted: ReadonlyMap<string, number>
  opened: ReadonlyMap<string, number>
  /** How many visitors, one for each node and link, may have been on the way when something was killed. */
  lostMax: number
}

/** Links that led too many visitors on, or lost more openings than kills can explain; should be empty. */
export function limitViolations({ tally, counted, opened, lostMax }: Seen): string[] {
  return [...LIMITS].flatMap(([code, limit]) => {
    const seen = {
      acknowledged: tally.acknowledged.get(code) ?? 0,
      counted: counted.get(code) ?? 0,
      opened: opened.get(code) ?? 0,
    }
    const isKept =
      seen.acknowledged <= seen.counted &&
      seen.counted <= seen.opened &&
      seen.opened <= limit &&
      seen.opened - seen.counted <= lostMax
    return isKept ? [] : [`${code}: ${JSON.stringify({ ...seen, limit, lostMax })}`]
  })
}
