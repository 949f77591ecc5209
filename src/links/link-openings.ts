import { sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { CurrentDb, DurableDb, Tx } from '../store/handles.ts'

export type OpeningDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/**
 * A limit of a link that may have clicks leads nobody on for this long. Until then other nodes have heard of it and clicks are
 * counted, unless the machine is busy: see docs/clicks.md.
 */
const HEARD_AND_COUNTED_US = 1_000_000

/**
 * Spends one opening of a link with `max_clicks`. False if none is left. One statement, so it is exact whichever nodes spend
 * some at the same moment, and with the limit that is stored now: what this node remembers of the link may be older. In the first
 * second of a limit it waits: earlier clicks are still being counted.
 */
export async function spendOpening({ db, clock }: OpeningDeps, linkId: number): Promise<boolean> {
  if (await spend({ db, clock }, linkId)) return true
  const row = await db
    .selectFrom('link_openings')
    .select('limited_since')
    .where('link_id', '=', linkId)
    .where('limited_since', '>', clock.nowUs())
    .executeTakeFirst()
  if (row === undefined) return false
  const waitUs = Number(row.limited_since) - clock.nowUs()
  await Bun.sleep(Math.ceil(Math.min(Math.max(waitUs, 0), HEARD_AND_COUNTED_US) / 1000) + 1)
  return spend({ db, clock }, linkId)
}

async function spend({ db, clock }: OpeningDeps, linkId: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO link_openings (link_id, opened)
    SELECT id, 1 FROM links WHERE id = ${linkId}
    ON CONFLICT (link_id) DO UPDATE SET opened = link_openings.opened + 1
    WHERE link_openings.opened < (SELECT coalesce(max_clicks, ${sql.lit(OPENED_MAX)}) FROM links WHERE id = ${linkId})
      AND (link_openings.limited_since IS NULL OR link_openings.limited_since <= ${clock.nowUs()})
    RETURNING opened`.execute(db)
  return rows.length > 0
}

/** Without a limit, which a link may have lost while a visitor was on the way. */
const OPENED_MAX = Number.MAX_SAFE_INTEGER

/** Whether its limit, as it is stored now, leaves no opening. */
export async function isLimitReached(db: CurrentDb, linkId: number): Promise<boolean> {
  const reached = await db
    .selectFrom('link_openings')
    .innerJoin('links', 'links.id', 'link_openings.link_id')
    .select('link_id')
    .where('link_id', '=', linkId)
    .whereRef('opened', '>=', 'max_clicks')
    .executeTakeFirst()
  return reached !== undefined
}

/** Returns an opening whose visitor was not redirected. */
export async function returnOpening(db: DurableDb, linkId: number): Promise<void> {
  await db
    .updateTable('link_openings')
    .set((eb) => ({ opened: eb('opened', '-', 1) }))
    .where('link_id', '=', linkId)
    .where('opened', '>', 0)
    .execute()
}

/**
 * Takes the clicks of a link that gets a limit for openings that it has spent. Clicks that are journaled and not counted yet are
 * added when they are counted, by their time.
 */
export async function countEarlierClicks(
  tx: Tx,
  { linkId, workspaceId, nowUs }: { linkId: number; workspaceId: number; nowUs: number },
): Promise<void> {
  // Written although nothing changes, which locks it: no click is counted between this and the end of the transaction. A link
  // without counted clicks gets its row for that.
  const { clicks } = await tx
    .insertInto('link_totals')
    .values({
      link_id: linkId,
      workspace_id: workspaceId,
      clicks: 0,
      visitors: 0,
      bots: 0,
      last_clicked_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet(({ ref }) => ({ clicks: ref('link_totals.clicks') })),
    )
    .returning('clicks')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('link_openings')
    .values({ link_id: linkId, opened: clicks, limited_since: nowUs + HEARD_AND_COUNTED_US })
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet(({ ref }) => ({
        opened: sql<number>`CASE WHEN ${ref('link_openings.opened')} < ${ref('excluded.opened')}
          THEN ${ref('excluded.opened')} ELSE ${ref('link_openings.opened')} END`,
        limited_since: ref('excluded.limited_since'),
      })),
    )
    .execute()
}
