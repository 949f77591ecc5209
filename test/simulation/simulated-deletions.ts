import { deleteLinkClicks } from '../../src/clicks/deletion/delete-link-clicks.ts'
import { linkClicksQuery } from '../../src/clicks/deletion/link-counters.ts'
import { ClickQueries } from '../../src/clicks/queries/click-queries.ts'
import type { Log } from '../../src/runtime/log.ts'
import { transact } from '../../src/store/transact.ts'
import { type ClicksOfFile, filesThatCount, insertClick } from './reopen-clicks.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { SimulatedEngine, StoredClick } from './simulated-engine.ts'
import type { Machine } from './program-run.ts'
import { workspaceOf } from './simulated-links.ts'
import type { SimulatedProcess } from './simulated-process.ts'

type Deletion = {
  process: SimulatedProcess
  store: ReturnType<SimulatedDatabase['connect']>['store']
  engine: SimulatedEngine
  linkId: number
}

/** The log says which files cannot be read. Then nothing is deleted, which a deletion may always do. */
const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Deletes the counted clicks of a link once, as the API does. The simulation notes which clicks counted, in the same transaction: the
 * note is lost when the deletion is, whatever happens.
 */
export async function deleteSimulatedClicks(machine: Machine, deletion: Deletion): Promise<void> {
  const { process, store, engine, linkId } = deletion
  const { db, readDb } = store
  const link = { workspaceId: workspaceOf(linkId), linkId }
  const queries = new ClickQueries({ db: readDb, callEngine: engine.call, log: QUIET })
  const moved = await queries.answerMoved(db, linkClicksQuery(link))
  const deleted = await transact(db, async (tx) => {
    const counting = clicksOf(machine, linkId)
    const counts = await deleteLinkClicks(tx, link, moved)
    if (counts === undefined || process.isGone) return 0
    if (counts.clicks + counts.bots !== counting.length)
      machine.alarm(
        `Of link ${linkId} ${counting.length} clicks counted, and ${JSON.stringify(counts)} went.`,
      )
    for (const click of counting) insertClick(openTransaction(machine), 'deleted_clicks', click)
    return counting.length
  })
  machine.note(`${deleted} clicks of link ${linkId} are deleted`)
  machine.ledger.deletedMin += deleted
}

/** Read past the program, in its transaction. */
function clicksOf(machine: Machine, linkId: number): StoredClick[] {
  const open = openTransaction(machine).query('SELECT * FROM clicks WHERE link_id = ?').all(linkId)
  const isOfLink = ({ link_id: id }: StoredClick) => id === linkId
  const inFiles = filesThatCount(machine).flatMap(({ clicks, forgotten }: ClicksOfFile) =>
    forgotten.includes(linkId) ? [] : (clicks ?? []).filter(isOfLink),
  )
  return [...(open as StoredClick[]), ...inFiles]
}

function openTransaction({ database: { database } }: Machine) {
  if (!database.inTransaction) throw new Error('Clicks are deleted without a transaction.')
  return database
}

/** Clicks that counted until they were deleted. */
export const deletedCount = ({ database }: SimulatedDatabase): number =>
  (database.query('SELECT count(*) AS count FROM deleted_clicks').get() as { count: number }).count
