import { DAY_US, dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/write-rows.ts'
import type { Click } from './click.ts'

type Kind = 'link' | 'account'

/** Visitors that a link, or an account, has for the first time on that day. Ask once for each; the second time it is old. */
export type NewVisitors = { claim(kind: Kind, click: Click): boolean }

/** Writes down which visitors came and tells which of them are new. */
export async function noteVisitors(tx: Db, clicks: readonly Click[]): Promise<NewVisitors> {
  const asked = new VisitorsByOwner()
  const rows: unknown[][] = []
  for (const click of clicks) {
    if (click.visitor === 0) continue
    for (const kind of ['link', 'account'] as const) {
      const owner = ownerOf(kind, click)
      const visitors = asked.of(owner)
      if (visitors.has(click.visitor)) continue
      visitors.add(click.visitor)
      rows.push([owner.day, kind, owner.id, click.visitor])
    }
  }
  const unclaimed = new VisitorsByOwner()
  for (const { day, kind, owner_id: id, visitor } of await writeRows<SeenRow>(tx, WHERE_NEW, rows)) {
    unclaimed.of({ day, kind, id }).add(visitor)
  }
  return { claim: (kind, click) => unclaimed.of(ownerOf(kind, click)).delete(click.visitor) }
}

/** Forgets who came before yesterday. */
export async function forgetVisitors(db: Db, nowUs: number): Promise<void> {
  await db
    .deleteFrom('seen_visitors')
    .where('day', '<', dayOf(nowUs - DAY_US))
    .execute()
}

type SeenRow = { day: number; kind: Kind; owner_id: number; visitor: number }

const WHERE_NEW: RowTarget = {
  table: 'seen_visitors',
  columns: ['day', 'kind', 'owner_id', 'visitor'],
  then: 'ON CONFLICT DO NOTHING RETURNING day, kind, owner_id, visitor',
}

/** A link or an account, on one day. */
type Owner = { day: number; kind: Kind; id: number }

const ownerOf = (kind: Kind, click: Click): Owner => ({
  day: dayOf(click.clickedAtUs),
  kind,
  id: kind === 'link' ? click.linkId : click.accountId,
})

/** Asked several times for every click, so it looks numbers up instead of building texts. */
class VisitorsByOwner {
  readonly #days = new Map<number, Record<Kind, Map<number, Set<number>>>>()

  of({ day, kind, id }: Owner): Set<number> {
    let owners = this.#days.get(day)
    if (owners === undefined) this.#days.set(day, (owners = { link: new Map(), account: new Map() }))
    let visitors = owners[kind].get(id)
    if (visitors === undefined) owners[kind].set(id, (visitors = new Set()))
    return visitors
  }
}
