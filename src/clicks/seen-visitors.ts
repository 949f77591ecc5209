import { DAY_US, dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Click } from './click.ts'

const ROWS_PER_STATEMENT = 1000

/** Visitors that a link, or an account, has for the first time on that day. Ask once for each; the second time it is old. */
export type NewVisitors = { claim(kind: 'link' | 'account', click: Click): boolean }

/** Writes down which visitors came and tells which of them are new. */
export async function noteVisitors(tx: Db, clicks: readonly Click[]): Promise<NewVisitors> {
  const rows = new Map<string, SeenRow>()
  for (const click of clicks) {
    if (click.visitor === 0) continue
    for (const row of [seenRow('link', click), seenRow('account', click)]) rows.set(keyOf(row), row)
  }
  const unclaimed = new Set<string>()
  const all = [...rows.values()]
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT) {
    const added = await tx
      .insertInto('seen_visitors')
      .values(all.slice(from, from + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['day', 'kind', 'owner_id', 'visitor'])
      .execute()
    for (const row of added) unclaimed.add(keyOf(row))
  }
  return {
    claim: (kind, click) => click.visitor !== 0 && unclaimed.delete(keyOf(seenRow(kind, click))),
  }
}

/** Forgets who came before yesterday. */
export async function forgetVisitors(db: Db, nowUs: number): Promise<void> {
  await db
    .deleteFrom('seen_visitors')
    .where('day', '<', dayOf(nowUs - DAY_US))
    .execute()
}

type SeenRow = { day: number; kind: string; owner_id: number; visitor: number }

const seenRow = (kind: 'link' | 'account', click: Click): SeenRow => ({
  day: dayOf(click.clickedAtUs),
  kind,
  owner_id: kind === 'link' ? click.linkId : click.accountId,
  visitor: click.visitor,
})

const keyOf = (row: SeenRow) => `${row.day} ${row.kind} ${row.owner_id} ${row.visitor}`
