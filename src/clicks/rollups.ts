import { hourOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Database } from '../store/schema.ts'
import { type RowTarget, writeRows } from '../store/write-rows.ts'
import { type Audience, audienceKey, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import type { NewVisitors } from './seen-visitors.ts'

/** A click with what its User-Agent says. Clicks of one audience share one object. */
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

type Counts = { clicks: number; visitors: number; bots: number }

/** Clicks of one link, or account, in one hour, by one audience; bots are an audience of their own. */
type Cell = Counts & {
  id: number
  accountId: number
  hour: number
  audience: Audience | undefined
  lastClickedAt: number | null
}

/** Adds a batch up. Pure but for `newVisitors`, each of which is claimed once. */
export function addUp(
  clicks: readonly ReadClick[],
  audienceIds: ReadonlyMap<string, number>,
  newVisitors: NewVisitors,
): Rollup {
  const links = new Cells()
  const accounts = new Cells()
  for (const readClick of clicks) {
    const { click, isBot } = readClick
    count(links.of(click.linkId, readClick), click, !isBot && newVisitors.claim('link', click))
    count(accounts.of(click.accountId, readClick), click, !isBot && newVisitors.claim('account', click))
  }
  const rollup: Rollup = {
    linkTotals: new Map(),
    linkHours: new Map(),
    accountTotals: new Map(),
    accountHours: new Map(),
  }
  for (const cell of links) addLinkCell(rollup, cell, audienceIds)
  for (const cell of accounts) addAccountCell(rollup, cell)
  return rollup
}

/** Found by numbers and objects rather than by texts put together: that is most of the work of counting. */
class Cells {
  readonly #hours = new Map<number, Map<number, Map<Audience | undefined, Cell>>>()

  of(id: number, { click, audience, isBot }: ReadClick): Cell {
    const hour = hourOf(click.clickedAtUs)
    const ofHour = foundOrMade(this.#hours, hour, () => new Map<number, Map<Audience | undefined, Cell>>())
    const ofOwner = foundOrMade(ofHour, id, () => new Map<Audience | undefined, Cell>())
    const who = isBot ? undefined : audience
    return foundOrMade(ofOwner, who, () => ({
      ...{ id, accountId: click.accountId, hour, audience: who, lastClickedAt: null },
      ...{ clicks: 0, visitors: 0, bots: 0 },
    }))
  }

  *[Symbol.iterator](): Generator<Cell> {
    for (const ofHour of this.#hours.values()) for (const ofOwner of ofHour.values()) yield* ofOwner.values()
  }
}

function foundOrMade<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function count(cell: Cell, { clickedAtUs }: Click, isNewVisitor: boolean): void {
  if (cell.audience === undefined) return void cell.bots++
  cell.clicks++
  if (isNewVisitor) cell.visitors++
  cell.lastClickedAt = Math.max(cell.lastClickedAt ?? 0, clickedAtUs)
}

function addLinkCell(rollup: Rollup, cell: Cell, audienceIds: ReadonlyMap<string, number>): void {
  const { id: link_id, accountId: account_id, hour, audience } = cell
  const audience_id = audience === undefined ? BOT_AUDIENCE_ID : audienceIds.get(audienceKey(audience))!
  const total = { link_id, account_id, ...ZERO, last_clicked_at: null }
  addTotal(
    foundOrMade(rollup.linkTotals, link_id, () => total),
    cell,
  )
  const key = `${link_id} ${hour} ${audience_id}`
  add(
    foundOrMade(rollup.linkHours, key, () => ({ link_id, hour, audience_id, ...ZERO })),
    cell,
  )
}

function addAccountCell(rollup: Rollup, cell: Cell): void {
  const { id: account_id, hour, audience } = cell
  addTotal(
    foundOrMade(rollup.accountTotals, account_id, () => ({ account_id, ...ZERO, last_clicked_at: null })),
    cell,
  )
  const addHour = (dimension: string, value: string) => {
    const key = `${account_id} ${dimension} ${hour} ${value}`
    add(
      foundOrMade(rollup.accountHours, key, () => ({ account_id, dimension, hour, value, ...ZERO })),
      cell,
    )
  }
  addHour('total', '')
  if (audience !== undefined) for (const dimension of DIMENSIONS) addHour(dimension, audience[dimension])
}

const ZERO: Counts = { clicks: 0, visitors: 0, bots: 0 }

function add(row: Counts, { clicks, visitors, bots }: Counts): void {
  row.clicks += clicks
  row.visitors += visitors
  row.bots += bots
}

function addTotal(row: Counts & { last_clicked_at: number | null }, cell: Cell): void {
  add(row, cell)
  if (cell.lastClickedAt !== null)
    row.last_clicked_at = Math.max(row.last_clicked_at ?? 0, cell.lastClickedAt)
}

/** Adds a rollup to the counters. */
export async function writeRollup(tx: Db, rollup: Rollup): Promise<void> {
  await addRows(tx, LINK_TOTALS, rollup.linkTotals)
  await addRows(tx, LINK_HOURS, rollup.linkHours)
  await addRows(tx, ACCOUNT_TOTALS, rollup.accountTotals)
  await addRows(tx, ACCOUNT_HOURS, rollup.accountHours)
}

function addRows(tx: Db, target: RowTarget, rows: ReadonlyMap<unknown, object>): Promise<unknown> {
  const cells = [...rows.values()].map((row) =>
    target.columns.map((column) => row[column as keyof typeof row]),
  )
  return writeRows(tx, target, cells)
}

const COUNTS = ['clicks', 'visitors', 'bots'] as const
const LINK_TOTALS = totals('link_totals', ['link_id'], ['account_id'])
const LINK_HOURS = counters('link_hours', ['link_id', 'hour', 'audience_id'])
const ACCOUNT_TOTALS = totals('account_totals', ['account_id'])
const ACCOUNT_HOURS = counters('account_hours', ['account_id', 'dimension', 'hour', 'value'])

/** Rows that are there already are added to. */
function counters(
  table: RowTarget['table'],
  key: string[],
  others: string[] = [],
): RowTarget & { then: string } {
  const sums = COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`)
  return {
    table,
    columns: [...key, ...others, ...COUNTS],
    then: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
  }
}

/** Counters that also know the latest click; either time may be NULL. */
function totals(table: RowTarget['table'], key: string[], others: string[] = []): RowTarget {
  const { columns, then } = counters(table, key, others)
  const [old, fresh] = [`${table}.last_clicked_at`, 'excluded.last_clicked_at']
  const latest = `CASE WHEN ${old} IS NULL OR ${fresh} > ${old} THEN ${fresh} ELSE ${old} END`
  return { table, columns: [...columns, 'last_clicked_at'], then: `${then}, last_clicked_at = ${latest}` }
}
