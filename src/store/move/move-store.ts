import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import { refuseMarked } from '../store-identity.ts'
import { type ComparedTable, compareTables } from './compare-tables.ts'
import { fillTables } from './fill-tables.ts'
import type { MovePlace } from './move-place.ts'
import type { MoveSource, MoveTarget } from './move-side.ts'
import { freezePostgres } from './postgres-source.ts'
import { preparePostgres } from './postgres-target.ts'
import type { TellProgress } from './progress.ts'
import { freezeSqlite } from './sqlite-source.ts'
import { prepareSqlite } from './sqlite-target.ts'
import type { Named, TargetState } from './target-state.ts'

export type MoveDeps = { clock: Clock; tell: TellProgress }

export type MovedStoreReport = {
  from: string
  to: string
  tables: ComparedTable[]
  /** A move before this one had done all of it. */
  wasFinished: boolean
}

/**
 * Moves everything from one store into another, on the other engine. The source takes no changes meanwhile; redirects go
 * on, and clicks wait in the journal. The target becomes the store only when both hold the same, row for row. Killed at
 * any moment and run again, it does the same (target-state.ts).
 *
 *   source frozen ──▶ target marked ──▶ filled ──▶ compared ──▶ source marked as moved ──▶ target's mark removed
 */
export async function moveStore(
  deps: MoveDeps,
  { from, to }: { from: MovePlace; to: MovePlace },
): Promise<MovedStoreReport> {
  if (from.engine === to.engine)
    throw new Refusal(
      'invalid',
      'A store is moved from SQLite to PostgreSQL or back, not within one of them.',
    )
  await using opened = new AsyncDisposableStack()
  const source = opened.adopt(await freeze(from), (frozen) => frozen.close())
  // Moved away is well, when it was moved there: then that move was killed right before its end.
  refuseMarked({ ...source.identity, moved_to: null })
  const prepared = await prepare(to, { ...source, nowUs: deps.clock.nowUs() })
  const target = opened.adopt(prepared.target, (each) => each.close())
  const report = { from: source.place, to: target.place, tables: [], wasFinished: true }
  if (prepared.state === 'finished') return report
  if (prepared.state !== 'filled') await fillTables(deps.tell, source, target)
  const tables = await compareTables(deps.tell, source, await target.hold())
  await finish(deps, source, target)
  return { ...report, tables, wasFinished: false }
}

const freeze = (place: MovePlace): MoveSource | Promise<MoveSource> =>
  place.engine === 'sqlite' ? freezeSqlite(place.dataDir) : freezePostgres(place.url)

type Prepared = { target: MoveTarget; state: TargetState }

const prepare = (place: MovePlace, source: Named & { nowUs: number }): Promise<Prepared> =>
  place.engine === 'sqlite' ? prepareSqlite(place.dataDir, source) : preparePostgres(place.url, source)

/** The order matters: at no moment do both take changes, and what is between the two is finished by the same command. */
async function finish({ clock }: MoveDeps, source: MoveSource, target: MoveTarget): Promise<void> {
  if (source.identity.moved_to === null) await source.leaveFor(target, clock.nowUs())
  await target.finish()
}
