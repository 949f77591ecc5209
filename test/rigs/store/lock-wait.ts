import { expect } from 'bun:test'
import { sql } from 'kysely'
import type { Tx } from '../../../src/store/handles.ts'
import { eventually } from '../eventually.ts'

/** On PostgreSQL: waits until another transaction waits for a row of this one. */
export const hasFollower = (tx: Tx): Promise<void> => hasFollowers(tx, 1)

/** The same for several, of which some may wait for each other. */
export async function hasFollowers(tx: Tx, followers: number): Promise<void> {
  const waiting = sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const count = await eventually(
    async () => (await waiting.execute(tx)).rows[0]!.count,
    (found) => found >= followers,
  )
  expect(count).toBe(followers)
}
