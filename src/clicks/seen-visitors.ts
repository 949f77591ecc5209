import { DAY_US, dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/write-rows.ts'
import type { Click } from './click.ts'

/** Clicks by which somebody came to the link, or to any link of the account, for the first time on that UTC day. */
export type FirstVisits = { toLink: ReadonlySet<Click>; toAccount: ReadonlySet<Click> }

/** Writes down which visitors came and tells which of the clicks were their first. */
export async function noteVisitors(tx: Db, clicks: readonly Click[]): Promise<FirstVisits> {
  const toldApart = clicks.filter(({ visitor }) => visitor !== 0)
  const toLink = await firstVisits(tx, LINKS, toldApart)
  // Who has been to the link that day has been to the account.
  const toAccount = await firstVisits(tx, ACCOUNTS, toLink)
  return { toLink: new Set(toLink), toAccount: new Set(toAccount) }
}

/** Forgets who came before yesterday. */
export async function forgetVisitors(db: Db, nowUs: number): Promise<void> {
  const before = dayOf(nowUs - DAY_US)
  await db.deleteFrom('link_visitors').where('day', '<', before).execute()
  await db.deleteFrom('account_visitors').where('day', '<', before).execute()
}

type Visit = { day: number; owner: number; visitor: number }

type Owners = { ownerOf(click: Click): number; whereNew: RowTarget }

const LINKS: Owners = { ownerOf: ({ linkId }) => linkId, whereNew: whereNew('link_visitors', 'link_id') }
const ACCOUNTS: Owners = {
  ownerOf: ({ accountId }) => accountId,
  whereNew: whereNew('account_visitors', 'account_id'),
}

function whereNew(table: RowTarget['table'], owner: string): RowTarget {
  const then = `ON CONFLICT DO NOTHING RETURNING day, ${owner} AS owner, visitor`
  return { table, columns: ['day', owner, 'visitor'], then }
}

/** Everything goes by the order of the tables' keys, so that neighbours are written one after the other. */
async function firstVisits(
  tx: Db,
  { ownerOf, whereNew }: Owners,
  clicks: readonly Click[],
): Promise<Click[]> {
  const visits = clicks
    .map((click) => ({ day: dayOf(click.clickedAtUs), owner: ownerOf(click), visitor: click.visitor, click }))
    .sort((a, b) => inKeyOrder(a, b) || a.click.clickedAtUs - b.click.clickedAtUs)
  const firstOfBatch = visits.filter((visit, i) => i === 0 || inKeyOrder(visits[i - 1]!, visit) !== 0)
  const keys = firstOfBatch.map(({ day, owner, visitor }) => [day, owner, visitor])
  // RETURNING promises no order.
  const added = (await writeRows<Visit>(tx, whereNew, keys)).sort(inKeyOrder)
  let at = 0
  const isAdded = (visit: Visit) => at < added.length && inKeyOrder(added[at]!, visit) === 0 && ++at > 0
  return firstOfBatch.filter(isAdded).map(({ click }) => click)
}

const inKeyOrder = (a: Visit, b: Visit): number => a.day - b.day || a.owner - b.owner || a.visitor - b.visitor
