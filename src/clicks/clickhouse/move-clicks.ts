import { sql } from 'kysely'
import { type Clock, DAY_US, dayOf, monthOf, monthStartUs } from '../../runtime/clock.ts'
import type { RelaxedDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import { lastToClose } from '../facts/last-to-close.ts'
import type { ClickKeeper } from '../click-keeper.ts'
import { countedBatches, isDeleted, prepareClickTable } from './click-table.ts'
import type { ClickHouse } from './clickhouse.ts'
import { deleteClicks, storeBatch } from './store-batch.ts'

/** Other jobs wait for this one. */
const BATCHES_PER_RUN = 50

type MoverDeps = {
  db: RelaxedDb
  clickHouse: ClickHouse
  clock: Clock
  /** How long the exact times of clicks are kept. */
  rawClickDays: number
}

/**
 * Moves clicks from the table of PostgreSQL to ClickHouse, all but the latest. One transaction removes the rows and counts their batch, so
 * every click is in one of the two at any time: batches in ClickHouse count up to the last one that is counted here.
 */
export class ClickMover implements ClickKeeper {
  readonly #deps: MoverDeps
  #isPrepared = false
  #isClosed = false
  #cutOnDay = 0

  constructor(deps: MoverDeps) {
    this.#deps = deps
  }

  /** Moves clicks when they are many, removes deleted ones, and forgets exact times that are old enough. */
  async run(): Promise<void> {
    try {
      await this.#removeDeleted()
      for (let count = 0; count < BATCHES_PER_RUN && !this.#isClosed; count++) {
        const upToId = await lastToClose(this.#deps.db)
        if (upToId === undefined) break
        await this.moveUpTo(upToId)
      }
      await this.#cutTimes()
    } catch (error) {
      if (!this.#isClosed) throw error
    }
  }

  /** What is under way is given up; the next run does it again. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#deps.clickHouse.close()
  }

  /** Clicks up to this id, of the month of the first. */
  async moveUpTo(upToId: number): Promise<void> {
    const { db, clickHouse } = this.#deps
    await this.#prepare()
    await transact(db, async (tx) => {
      // Another node may wait for it: the lock lets one move clicks at a time.
      const { rows } = await sql<{ batch: number }>`SELECT batch FROM clickhouse_progress FOR UPDATE`.execute(
        tx,
      )
      const batch = rows[0]!.batch + 1
      // Storing the batch may take longer than a transaction may be idle otherwise.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
      const facts = await takeFacts(tx, upToId)
      if (facts.length === 0) return
      // The lock is held as long as the transaction answers.
      const isStillOurs = () => sql`SELECT 1`.execute(tx)
      await storeBatch(clickHouse, { number: batch, facts, isStillOurs })
      await sql`UPDATE clickhouse_progress SET batch = ${batch}`.execute(tx)
    })
  }

  /** Resolves when nothing of them is left. */
  async forgetWorkspaces(workspaceIds: readonly number[]): Promise<void> {
    const { clickHouse } = this.#deps
    await this.#prepare()
    const ids = workspaceIds.map((id) => BigInt(id)).join(', ')
    const rows = await clickHouse.rows(`SELECT 1 FROM clicks WHERE workspace_id IN (${ids}) LIMIT 1`)
    // A deletion looks at every part of the table, and waits for those that were begun before.
    if (rows.length > 0) await deleteClicks(clickHouse, `workspace_id IN (${ids})`)
  }

  async #removeDeleted(): Promise<void> {
    const { db, clickHouse } = this.#deps
    const { deletions } = await countedBatches(db)
    if (deletions.length === 0) return
    await this.#prepare()
    await deleteClicks(clickHouse, deletions.map(isDeleted).join(' OR '))
    // Later clicks of a link may have been deleted since.
    for (const [linkId, batch] of deletions)
      await sql`DELETE FROM clickhouse_deletions WHERE link_id = ${linkId} AND batch = ${batch}`.execute(db)
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    await prepareClickTable(this.#deps.clickHouse, this.#deps.db)
    this.#isPrepared = true
  }

  /** Once a day. The server does it in the background. */
  async #cutTimes(): Promise<void> {
    const { clickHouse, clock, rawClickDays } = this.#deps
    const today = dayOf(clock.nowUs())
    if (this.#cutOnDay === today) return
    await this.#prepare()
    const isOld = `past_quarter > 0 AND quarter_at < ${BigInt((today - rawClickDays) * DAY_US)}`
    const rows = await clickHouse.rows(`SELECT 1 FROM clicks WHERE ${isOld} LIMIT 1`)
    if (rows.length > 0) await clickHouse.run(`ALTER TABLE clicks UPDATE past_quarter = 0 WHERE ${isOld}`)
    this.#cutOnDay = today
  }
}

/** Removes them from the table, and returns them. */
async function takeFacts(tx: Tx, upToId: number): Promise<Record<string, number | string>[]> {
  const first = await sql<{ clicked_at: number }>`SELECT clicked_at FROM clicks ORDER BY id LIMIT 1`.execute(
    tx,
  )
  if (first.rows.length === 0) return []
  const month = monthOf(first.rows[0]!.clicked_at)
  const columns = sql.join(FACT_COLUMNS.map((name) => sql.ref(name)))
  const { rows } = await sql<Record<string, number | string>>`DELETE FROM clicks WHERE id <= ${upToId}
    AND clicked_at >= ${monthStartUs(month)} AND clicked_at < ${monthStartUs(month + 1)} RETURNING ${columns}`.execute(
    tx,
  )
  return rows
}
