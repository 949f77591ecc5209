import { type Kysely, type RawBuilder, sql } from 'kysely'
import { hourOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Database } from '../store/schema.ts'
import { type Audience, audienceKey, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import type { NewVisitors } from './seen-visitors.ts'

/** A click with what its User-Agent says. */
export type ReadClick = { click: Click; audience: Audience; isBot: boolean }

/** What a batch of clicks adds to the counters. */
export type Rollup = {
  linkTotals: Map<number, Database['link_totals']>
  linkHours: Map<string, Database['link_hours']>
  accountTotals: Map<number, Database['account_totals']>
  accountHours: Map<string, Database['account_hours']>
}

/** The dimensions that an account's hours are counted by; 'total' is the hour itself. */
export const DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer'] as const

const ROWS_PER_STATEMENT = 1000

type Counts = { clicks: number; visitors: number; bots: number }

/** Adds a batch up. Pure but for `newVisitors`, each of which is claimed once. */
export function addUp(
  clicks: readonly ReadClick[],
  audienceIds: ReadonlyMap<string, number>,
  newVisitors: NewVisitors,
): Rollup {
  const rollup: Rollup = {
    linkTotals: new Map(),
    linkHours: new Map(),
    accountTotals: new Map(),
    accountHours: new Map(),
  }
  for (const readClick of clicks) {
    const { click, audience, isBot } = readClick
    const audienceId = isBot ? BOT_AUDIENCE_ID : audienceIds.get(audienceKey(audience))!
    const countsFor = (owner: 'link' | 'account'): Counts =>
      isBot ? A_BOT : { clicks: 1, visitors: newVisitors.claim(owner, click) ? 1 : 0, bots: 0 }
    addToLink(rollup, readClick, { audienceId, counts: countsFor('link') })
    addToAccount(rollup, readClick, countsFor('account'))
  }
  return rollup
}

const A_BOT: Counts = { clicks: 0, visitors: 0, bots: 1 }

function addToLink(
  rollup: Rollup,
  { click, isBot }: ReadClick,
  to: { audienceId: number; counts: Counts },
): void {
  const { linkId: link_id, accountId: account_id } = click
  const hour = hourOf(click.clickedAtUs)
  const total = emptied(rollup.linkTotals, link_id, {
    link_id,
    account_id,
    last_clicked_at: null as number | null,
  })
  add(total, to.counts)
  if (!isBot) total.last_clicked_at = Math.max(total.last_clicked_at ?? 0, click.clickedAtUs)
  const { audienceId: audience_id } = to
  add(
    emptied(rollup.linkHours, `${link_id} ${hour} ${audience_id}`, { link_id, hour, audience_id }),
    to.counts,
  )
}

function addToAccount(rollup: Rollup, { click, audience, isBot }: ReadClick, counts: Counts): void {
  const { accountId: account_id } = click
  const hour = hourOf(click.clickedAtUs)
  const total = emptied(rollup.accountTotals, account_id, {
    account_id,
    last_clicked_at: null as number | null,
  })
  add(total, counts)
  if (!isBot) total.last_clicked_at = Math.max(total.last_clicked_at ?? 0, click.clickedAtUs)
  const addHour = (dimension: string, value: string) => {
    const row = { account_id, dimension, hour, value }
    add(emptied(rollup.accountHours, `${account_id} ${dimension} ${hour} ${value}`, row), counts)
  }
  addHour('total', '')
  if (!isBot) for (const dimension of DIMENSIONS) addHour(dimension, audience[dimension])
}

/** The counter row under the key, made with zeros where there is none. */
function emptied<Key, Row extends object>(rows: Map<Key, Row & Counts>, key: Key, row: Row): Row & Counts {
  const found = rows.get(key)
  if (found !== undefined) return found
  const made = { ...row, clicks: 0, visitors: 0, bots: 0 }
  rows.set(key, made)
  return made
}

function add(row: Counts, { clicks, visitors, bots }: Counts): void {
  row.clicks += clicks
  row.visitors += visitors
  row.bots += bots
}

/** Adds a rollup to the counters. */
export async function writeRollup(tx: Db, rollup: Rollup): Promise<void> {
  await addRows(tx, { table: 'link_totals', key: ['link_id'] }, rollup.linkTotals)
  await addRows(tx, { table: 'link_hours', key: ['link_id', 'hour', 'audience_id'] }, rollup.linkHours)
  await addRows(tx, { table: 'account_totals', key: ['account_id'] }, rollup.accountTotals)
  await addRows(
    tx,
    { table: 'account_hours', key: ['account_id', 'dimension', 'hour', 'value'] },
    rollup.accountHours,
  )
}

type CounterTable = {
  table: 'link_totals' | 'link_hours' | 'account_totals' | 'account_hours'
  key: string[]
}

/** Inserts the rows, or adds them to those that are there. */
async function addRows(tx: Db, { table, key }: CounterTable, rows: Map<unknown, Counts>): Promise<void> {
  const all = [...rows.values()]
  const added: Record<string, unknown> = {}
  for (const column of ['clicks', 'visitors', 'bots'])
    added[column] = sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`
  if (table.endsWith('_totals'))
    added.last_clicked_at = later(sql.ref(`${table}.last_clicked_at`), sql.ref('excluded.last_clicked_at'))
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT) {
    await (tx as unknown as Kysely<Record<string, Counts>>)
      .insertInto(table)
      .values(all.slice(from, from + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.columns(key as never).doUpdateSet(added))
      .execute()
  }
}

/** The later of two times, of which either may be NULL. */
const later = (a: RawBuilder<unknown>, b: RawBuilder<unknown>) =>
  sql`CASE WHEN ${a} IS NULL OR ${b} > ${a} THEN ${b} ELSE ${a} END`
