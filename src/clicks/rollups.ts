import { hourOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Database } from '../store/schema.ts'
import { type RowTarget, writeRows } from '../store/engine-sql.ts'
import { type Audience, BOT_AUDIENCE_ID } from './audiences.ts'
import type { Click } from './click.ts'
import type { FirstVisits } from './seen-visitors.ts'

/** A click with who clicked; undefined for a bot. Clicks of one audience share one object. */
export type ReadClick = { click: Click; audience: Audience | undefined }

/** What a batch of clicks adds to the counters. */
export type Rollup = {
  linkTotals: Map<number, Database['link_totals']>
  linkHours: LinkHour[]
  accountTotals: Map<number, Database['account_totals']>
  accountHours: Database['account_hours'][]
}

/** Undefined: bots. */
type LinkHour = Counts & { link_id: number; hour: number; audience: Audience | undefined }

/** The dimensions that an account's hours are counted by; 'total' is the hour itself. */
export const DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer'] as const

type Counts = { clicks: number; visitors: number; bots: number }

/** Clicks of one audience, with what they have in common; bots are an audience of their own. */
type Cell = Counts & { audience: Audience | undefined; lastClickedAt: number | null }

/** Clicks of one link, or account, in one hour. */
type OwnerHour = { id: number; accountId: number; hour: number; cells: Map<Audience | undefined, Cell> }

/** Adds a batch up. */
export function addUp(clicks: readonly ReadClick[], firstVisits: FirstVisits): Rollup {
  const links = new OwnerHours()
  const accounts = new OwnerHours()
  for (const { click, audience } of clicks) {
    const { clickedAtUs, linkId, accountId } = click
    const hour = hourOf(clickedAtUs)
    count(links.of(hour, linkId, accountId), click, { audience, isFirst: firstVisits.toLink.has(click) })
    count(accounts.of(hour, accountId, accountId), click, {
      audience,
      isFirst: firstVisits.toAccount.has(click),
    })
  }
  const rollup: Rollup = {
    linkTotals: new Map(),
    linkHours: [],
    accountTotals: new Map(),
    accountHours: [],
  }
  for (const ownerHour of links.all) addLinkHour(rollup, ownerHour)
  for (const ownerHour of accounts.all) addAccountHour(rollup, ownerHour)
  return rollup
}

/** Found by numbers rather than by texts put together: that is most of the work of counting. */
class OwnerHours {
  readonly all: OwnerHour[] = []
  readonly #hours = new Map<number, Map<number, OwnerHour>>()

  of(hour: number, id: number, accountId: number): OwnerHour {
    let owners = this.#hours.get(hour)
    if (owners === undefined) this.#hours.set(hour, (owners = new Map()))
    let found = owners.get(id)
    if (found === undefined) {
      owners.set(id, (found = { id, accountId, hour, cells: new Map() }))
      this.all.push(found)
    }
    return found
  }
}

type Who = { audience: Audience | undefined; isFirst: boolean }

function count({ cells }: OwnerHour, { clickedAtUs }: Click, { audience, isFirst }: Who): void {
  let cell = cells.get(audience)
  if (cell === undefined) cells.set(audience, (cell = { audience, ...ZERO, lastClickedAt: null }))
  if (audience === undefined) return void cell.bots++
  cell.clicks++
  if (isFirst) cell.visitors++
  cell.lastClickedAt = Math.max(cell.lastClickedAt ?? 0, clickedAtUs)
}

function addLinkHour(rollup: Rollup, { id: link_id, accountId: account_id, hour, cells }: OwnerHour): void {
  const total = foundOrMade(rollup.linkTotals, link_id, () => ({
    link_id,
    account_id,
    ...ZERO,
    last_clicked_at: null,
  }))
  for (const cell of cells.values()) {
    addTotal(total, cell)
    const { audience, clicks, visitors, bots } = cell
    rollup.linkHours.push({ link_id, hour, audience, clicks, visitors, bots })
  }
}

function addAccountHour(rollup: Rollup, { id: account_id, hour, cells }: OwnerHour): void {
  const total = foundOrMade(rollup.accountTotals, account_id, () => ({
    account_id,
    ...ZERO,
    last_clicked_at: null,
  }))
  const ofHour = { account_id, dimension: 'total', hour, value: '', ...ZERO }
  for (const cell of cells.values()) {
    addTotal(total, cell)
    add(ofHour, cell)
  }
  rollup.accountHours.push(ofHour)
  for (const dimension of DIMENSIONS) {
    const ofValue = new Map<string, Database['account_hours']>()
    for (const cell of cells.values()) {
      if (cell.audience === undefined) continue
      const value = cell.audience[dimension]
      add(
        foundOrMade(ofValue, value, () => ({ account_id, dimension, hour, value, ...ZERO })),
        cell,
      )
    }
    rollup.accountHours.push(...ofValue.values())
  }
}

const ZERO: Counts = { clicks: 0, visitors: 0, bots: 0 }

function foundOrMade<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

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

/**
 * Adds to the totals of links, and gives the clicks that each has then. From here to the end of the transaction nobody else
 * counts clicks of these links.
 */
export async function writeLinkTotals(tx: Db, { linkTotals }: Rollup): Promise<Map<number, number>> {
  const rows = await addRows<{ link_id: number; clicks: number }>(tx, LINK_TOTALS, [...linkTotals.values()])
  return new Map(rows.map(({ link_id: id, clicks }) => [id, clicks]))
}

/** Adds the rest of a rollup to the counters. */
export async function writeHours(
  tx: Db,
  { linkHours, accountTotals, accountHours }: Rollup,
  audienceIds: ReadonlyMap<Audience, number>,
): Promise<void> {
  const withIds = linkHours.map(({ audience, ...row }) => ({
    ...row,
    audience_id: audience === undefined ? BOT_AUDIENCE_ID : audienceIds.get(audience)!,
  }))
  await addRows(tx, LINK_HOURS, withIds)
  await addRows(tx, ACCOUNT_TOTALS, [...accountTotals.values()])
  await addRows(tx, ACCOUNT_HOURS, accountHours)
}

type CounterTarget = RowTarget & { key: readonly string[] }

async function addRows<Returned = never>(
  tx: Db,
  target: CounterTarget,
  rows: readonly object[],
): Promise<Returned[]> {
  const values = rows.map((row) => target.columns.map((column) => row[column as keyof typeof row]))
  // In the order of the key, its columns being the first: neighbours in the table are then written one after the other.
  values.sort((a, b) => compareUpTo(target.key.length, a, b))
  return writeRows<Returned>(tx, target, values)
}

function compareUpTo(
  length: number,
  a: readonly (number | string)[],
  b: readonly (number | string)[],
): number {
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1
  return 0
}

const COUNTS = ['clicks', 'visitors', 'bots'] as const
const TEXTS = ['dimension', 'value']
const LINK_TOTALS = returning(totals('link_totals', ['link_id'], ['account_id']), 'link_id, clicks')
const LINK_HOURS = counters('link_hours', ['link_id', 'hour', 'audience_id'])
const ACCOUNT_TOTALS = totals('account_totals', ['account_id'])
const ACCOUNT_HOURS = counters('account_hours', ['account_id', 'dimension', 'hour', 'value'])

/** Rows that are there already are added to. */
function counters(
  table: RowTarget['table'],
  key: string[],
  others: string[] = [],
): CounterTarget & { then: string } {
  const sums = COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`)
  return {
    table,
    key,
    columns: [...key, ...others, ...COUNTS],
    texts: TEXTS,
    then: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
  }
}

function returning(target: CounterTarget, columns: string): CounterTarget {
  return { ...target, then: `${target.then} RETURNING ${columns}` }
}

/** Counters that also know the latest click; either time may be NULL. */
function totals(table: RowTarget['table'], key: string[], others: string[] = []): CounterTarget {
  const { columns, then } = counters(table, key, others)
  const [old, fresh] = [`${table}.last_clicked_at`, 'excluded.last_clicked_at']
  const latest = `CASE WHEN ${old} IS NULL OR ${fresh} > ${old} THEN ${fresh} ELSE ${old} END`
  return {
    table,
    key,
    columns: [...columns, 'last_clicked_at'],
    then: `${then}, last_clicked_at = ${latest}`,
  }
}
