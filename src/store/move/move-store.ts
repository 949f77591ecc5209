import { type Clock, DAY_US, monthOf } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { refuseMarked, type StoreIdentity } from '../store-identity.ts'
import { type ComparedTable, compareTables } from './compare-tables.ts'
import { type MoveLocation, nameOf } from './move-location.ts'
import type { MoveDestination, MoveSource, OpenClosedClicks } from './move-endpoint.ts'
import { preparePostgres } from './postgres-destination.ts'
import { counted, type ReportProgress } from './progress.ts'
import { freezeSqlite } from './sqlite-source.ts'
import { prepareSqlite } from './sqlite-destination.ts'
import type { DestinationState, Named } from './destination-state.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { REFUSE_ON_POSTGRES } from './moved-mark.ts'
import { MoveConnection } from './move-connection.ts'
import { postgresRowReader } from './postgres-row-reader.ts'
import { hasStore } from './store-version.ts'

export type MoveDeps = { clock: Clock; report: ReportProgress; openClosedClicks: OpenClosedClicks }

export type MovedStoreReport = {
  from: string
  to: string
  tables: ComparedTable[]
  /** An earlier move had already completed. */
  wasFinished: boolean
}

/**
 * Moves everything from one store to another, on the other engine. The source accepts no changes during the move;
 * redirects continue, and clicks wait in the journal. The destination becomes the store only when both hold the same rows.
 * A move that was killed at any point can be run again (destination-state.ts).
 *
 *   source frozen ──▶ destination marked ──▶ filled ──▶ compared ──▶ source marked as moved ──▶ destination's mark removed
 */
export async function moveStore(
  deps: MoveDeps,
  { from, to }: { from: MoveLocation; to: MoveLocation },
): Promise<MovedStoreReport> {
  if (from.engine === to.engine)
    throw new Refusal(
      'command_failed',
      'A store is moved from SQLite to PostgreSQL or back, not within one of them.',
    )
  await using opened = new AsyncDisposableStack()
  const source = opened.adopt(await freeze(deps, from), (frozen) => frozen.close())
  // A source that was moved to this destination is fine: that move was killed right before its end.
  refuseMarked({ ...source.identity, moved_to: null })
  const prepared = await prepare(to, { ...source, nowUs: deps.clock.nowUs() })
  const destination = opened.adopt(prepared.destination, (each) => each.close())
  const report = { from: source.location, to: destination.location, tables: [], wasFinished: true }
  if (prepared.state === 'finished') return report
  if (prepared.state !== 'filled') await fillTables(deps.report, source, destination)
  const tables = await compareTables(deps.report, source, await destination.hold())
  await finish(deps, source, destination)
  return { ...report, tables, wasFinished: false }
}

const freeze = ({ openClosedClicks }: MoveDeps, location: MoveLocation): Promise<MoveSource> =>
  location.engine === 'sqlite'
    ? freezeSqlite(location.dataDir, openClosedClicks)
    : freezePostgres(location.url)

type PreparedDestination = { destination: MoveDestination; state: DestinationState }

const prepare = (location: MoveLocation, source: Named & { nowUs: number }): Promise<PreparedDestination> =>
  location.engine === 'sqlite'
    ? prepareSqlite(location.dataDir, source)
    : preparePostgres(location.url, source)

/** In this order: both never accept changes at the same time, and running the command again finishes the rest. */
async function finish({ clock }: MoveDeps, source: MoveSource, destination: MoveDestination): Promise<void> {
  if (source.identity.moved_to === null) await source.leaveFor(destination, clock.nowUs())
  await destination.finish()
}

/** Copies the source into the destination, replacing what a killed move may have left there. */
async function fillTables(
  report: ReportProgress,
  source: MoveSource,
  destination: MoveDestination,
): Promise<void> {
  await destination.fill(
    async (into) => {
      await into.prepareClickMonths(await source.clickMonths())
      for (const table of MOVED_TABLES) {
        const columns = await source.columnsOf(table)
        const of = await source.count(table)
        const lines = counted(source.lines({ table, columns }), (rows) =>
          report({ step: 'copy', table, rows, of }),
        )
        await into.write({ table, columns }, lines)
      }
      await into.setLastIds(await source.lastIds())
    },
    () => report({ step: 'indexes' }),
  )
  await report({ step: 'filled' })
}

/**
 * Freezes the store against writes: one transaction locks every table, and ends with this process. Nodes keep redirecting,
 * and keep their clicks in their journals.
 */
async function freezePostgres(url: string): Promise<MoveSource> {
  const location = nameOf({ engine: 'postgres', url })
  const connection = await MoveConnection.open(url)
  try {
    await connection.takeLock(location)
    if (!(await hasStore(connection, location)))
      throw new Refusal('command_failed', `There is no store at ${location}.`)
    // kysely_migration too: a newer version must not migrate the tables during the move.
    await connection.beginAlone([...MOVED_TABLES, 'store_identity', 'kysely_migration'], 'EXCLUSIVE')
    await refuseClickHouse(connection)
    return await frozen(connection, location)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function refuseClickHouse(connection: MoveConnection): Promise<void> {
  if ((await connection.value('SELECT batch::text FROM clickhouse_progress')) === '0') return
  throw new Refusal(
    'command_failed',
    'Clicks of this store are in ClickHouse, from where tern store move does not take them. Nothing was moved.',
  )
}

async function frozen(connection: MoveConnection, location: string): Promise<MoveSource> {
  const [identity] = await connection.run<StoreIdentity>('SELECT * FROM store_identity')
  const transaction = await connection.value('SELECT pg_current_xact_id()::text')
  return {
    ...postgresRowReader(connection),
    location,
    identity: identity!,
    async clickMonths() {
      const rows = await connection.run<{ day: bigint }>(
        `SELECT DISTINCT clicked_at / ${DAY_US} AS day FROM clicks`,
      )
      return [...new Set(rows.map(({ day }) => monthOf(Number(day) * DAY_US)))]
    },
    async leaveFor(destination, nowUs) {
      for (const statement of REFUSE_ON_POSTGRES) await connection.run(statement)
      const marked = await connection.run(
        `UPDATE store_identity SET moved_to = $1, moved_place = $2, moved_at = $3
          WHERE pg_current_xact_id()::text = $4 RETURNING id`,
        [destination.id, destination.location, BigInt(nowUs), transaction],
      )
      if (marked.length !== 1) throw new Error('The freeze has ended before the move.')
      await connection.run('COMMIT')
    },
    close: () => connection.close(),
  }
}
