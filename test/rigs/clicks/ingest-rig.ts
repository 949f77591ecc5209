import type { AnyDb, WriteDb } from '../../../src/store/handles.ts'
import { sql } from 'kysely'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Files } from '../../../src/clicks/journal/files.ts'
import type { ReadUserAgent } from '../../../src/clicks/ingest/ingest.ts'
import { JournalReader } from '../../../src/clicks/ingest/journal-reader.ts'
import { type Metrics, newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import type { Log, LogFields } from '../../../src/runtime/log.ts'
import type { Store } from '../../../src/store/open-store.ts'

/** The current run of the program; journals of the rig belong to earlier runs by default. */
export const THIS_BOOT = '0193b1c0-0000-7000-8000-0000000000b1'

/** Bots call themselves so, telephones too. The system has the number of the click, as `aClick` gives it. */
export const readTestUserAgent: ReadUserAgent = (userAgent) => ({
  isBot: userAgent.startsWith('Bot'),
  device: userAgent.startsWith('Phone') ? 'mobile' : 'desktop',
  browser: userAgent.split('/')[0]!,
  os: userAgent.split('/')[1] ?? '',
})

export type LogLine = { level: keyof Log; message: string; fields: LogFields | undefined }

/** Keeps what is said. */
export function recordingLog(): Log & { lines: LogLine[]; errors(): string[] } {
  const lines: LogLine[] = []
  const at = (level: keyof Log) => (message: string, fields?: LogFields) =>
    void lines.push({ level, message, fields })
  return {
    lines,
    errors: () => lines.filter(({ level }) => level === 'error').map(({ message }) => message),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

type ReaderRigDeps = {
  store: Pick<Store, 'db' | 'clicksDb'>
  clock: Clock
  files: Files
  log: Log
  metrics?: Metrics
}
type ReaderRigSettings = { folder: string; boot?: string; retentionUs?: number; hasExactTimes?: boolean }

export function newReader(deps: ReaderRigDeps, settings: ReaderRigSettings): JournalReader {
  return new JournalReader(
    { metrics: openMetrics(newSharedMetrics()), ...deps, readUserAgent: readTestUserAgent },
    { boot: THIS_BOOT, retentionUs: 0, hasExactTimes: true, ...settings },
  )
}

const COUNT_ROUNDS_MAX = 1_000

/** Counts until there is nothing left to count. Returns how many batches there were. */
export async function countAll(reader: JournalReader): Promise<number> {
  for (let batches = 0; batches < COUNT_ROUNDS_MAX; batches++) if (!(await reader.countSome())) return batches
  throw new Error('There is no end to it.')
}

export type Counts = { clicks: number; visitors: number; bots: number }

/** What is counted, seen from every table; those that do not agree with each other fail here. */
export async function agreedCounts(db: AnyDb): Promise<Counts> {
  const links = await sums(db, 'link_totals')
  const seen = {
    links,
    linkClicks: await sums(db, 'clicks'),
    workspaces: await sums(db, 'workspace_totals'),
    workspaceHours: await sums(db, 'workspace_hours', "WHERE dimension = 'total'"),
  }
  const { clicks, bots } = links
  for (const [table, counts] of Object.entries(seen)) {
    if (counts.clicks !== clicks || counts.bots !== bots)
      throw new Error(`${table} says ${JSON.stringify(counts)}, link_totals says ${JSON.stringify(links)}.`)
  }
  for (const dimension of ['country', 'device', 'browser', 'os', 'referrer']) {
    const counts = await sums(db, 'workspace_hours', `WHERE dimension = '${dimension}'`)
    if (counts.clicks !== clicks || counts.visitors !== seen.workspaceHours.visitors || counts.bots !== 0)
      throw new Error(`${dimension} says ${JSON.stringify(counts)}, all is ${JSON.stringify(seen)}.`)
  }
  if (seen.linkClicks.visitors !== links.visitors) throw new Error('The clicks have other visitors.')
  if (seen.workspaceHours.visitors !== seen.workspaces.visitors)
    throw new Error('The hours of workspaces have other visitors.')
  return links
}

async function sums(db: AnyDb, table: string, where = ''): Promise<Counts> {
  const total = (column: string) => sql`CAST(coalesce(sum(${sql.ref(column)}), 0) AS BIGINT)`
  const { rows } = await sql<Counts>`SELECT ${total('clicks')} AS clicks, ${total('visitors')} AS visitors,
    ${total('bots')} AS bots FROM ${sql.table(table)} ${sql.raw(where)}`.execute(db)
  return rows[0]!
}

/** The numbers of the clicks that are stored, sorted. */
export async function storedClicks(db: AnyDb): Promise<number[]> {
  const rows = await db.selectFrom('clicks').select('os').execute()
  return rows.map(({ os }) => Number(os)).sort((a, b) => a - b)
}

/** As if nothing had been counted. */
export async function forgetCounts(db: WriteDb): Promise<void> {
  for (const table of [
    ...(['clicks', 'link_totals', 'workspace_totals', 'workspace_hours'] as const),
    ...(['seen_visits', 'journal_segments'] as const),
  ])
    await db.deleteFrom(table).execute()
}
