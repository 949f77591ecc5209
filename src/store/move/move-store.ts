import type { Clock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { refuseMarked } from '../store-identity.ts'
import { type ComparedTable, compareTables } from './compare-tables.ts'
import { fillTables } from './fill-tables.ts'
import type { MoveLocation } from './move-location.ts'
import type { MoveSource, MoveDestination } from './move-endpoint.ts'
import { freezePostgres } from './postgres-source.ts'
import { preparePostgres } from './postgres-destination.ts'
import type { ReportProgress } from './progress.ts'
import { freezeSqlite } from './sqlite-source.ts'
import { prepareSqlite } from './sqlite-destination.ts'
import type { Named, DestinationState } from './destination-state.ts'

export type MoveDeps = { clock: Clock; report: ReportProgress }

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
  const source = opened.adopt(await freeze(from), (frozen) => frozen.close())
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

const freeze = (location: MoveLocation): MoveSource | Promise<MoveSource> =>
  location.engine === 'sqlite' ? freezeSqlite(location.dataDir) : freezePostgres(location.url)

type Prepared = { destination: MoveDestination; state: DestinationState }

const prepare = (location: MoveLocation, source: Named & { nowUs: number }): Promise<Prepared> =>
  location.engine === 'sqlite'
    ? prepareSqlite(location.dataDir, source)
    : preparePostgres(location.url, source)

/** In this order: both never accept changes at the same time, and running the command again finishes the rest. */
async function finish({ clock }: MoveDeps, source: MoveSource, destination: MoveDestination): Promise<void> {
  if (source.identity.moved_to === null) await source.leaveFor(destination, clock.nowUs())
  await destination.finish()
}
