import { HOUR_US, hourOf } from '../src/clock.ts'
import { DIMENSIONS } from '../src/clicks/rollups.ts'
import type { Db, Store } from '../src/store/open-store.ts'
import { type RowTarget, writeRows } from '../src/store/engine-sql.ts'
import { SeededChance } from './traffic.ts'

const ROWS_PER_TRANSACTION = 50_000

const COUNTRIES = 'US DE GB FR BR IN JP CA AU NL ES IT PL SE CH AT BE DK NO FI'.split(' ')
const SYSTEMS = [
  { os: 'Windows', device: 'desktop' },
  { os: 'Android', device: 'mobile' },
  { os: 'iOS', device: 'mobile' },
  { os: 'macOS', device: 'desktop' },
  { os: 'Linux', device: 'desktop' },
]
const BROWSERS = ['Chrome', 'Safari', 'Edge', 'Firefox']
/** The first is none. */
const REFERRERS = ['', ...Array.from({ length: 300 }, (_, i) => `site-${i}.example.org`)]
const AUDIENCES = COUNTRIES.length * SYSTEMS.length * BROWSERS.length * REFERRERS.length

/** Clicks are by one of so many, of whom many are of the same audience. */
const CROWD = 200_000

const counters = ['clicks', 'visitors', 'bots']
const LINK_HOURS: RowTarget = {
  table: 'link_hours',
  columns: ['link_id', 'hour', 'audience_id', ...counters],
}
const LINK_TOTALS: RowTarget = {
  table: 'link_totals',
  columns: ['link_id', 'account_id', ...counters, 'last_clicked_at'],
}
const ACCOUNT_HOURS: RowTarget = {
  table: 'account_hours',
  columns: ['account_id', 'dimension', 'hour', 'value', ...counters],
}
const ACCOUNT_TOTALS: RowTarget = {
  table: 'account_totals',
  columns: ['account_id', ...counters, 'last_clicked_at'],
}
const AUDIENCE_ROWS: RowTarget = { table: 'audiences', columns: ['id', ...DIMENSIONS] }
const RAW_CLICKS: RowTarget = {
  table: 'clicks',
  columns: ['link_id', 'account_id', 'clicked_at', 'audience_id', 'visitor', 'is_bot'],
}

export type MadeClicks = {
  /** About so many, on the links from 1 on: the n-th gets a share of 1/n. */
  clicks: number
  links: number
  /** Whose all the links are. */
  accountId: number
  nowUs: number
  /** They came evenly over so many days; single clicks are there of the last `rawDays`. */
  days: number
  rawDays: number
}

/** Writes the counters as if the clicks had been counted, which would take an hour. Gives how many there are. */
export async function makeClicks({ quickDb }: Pick<Store, 'quickDb'>, made: MadeClicks): Promise<number> {
  const writer = new BatchWriter(quickDb)
  await writer.write(AUDIENCE_ROWS, audienceRows())
  const chance = new SeededChance(1)
  const crowd = Int32Array.from({ length: CROWD }, () => anAudience(chance))
  const toHour = hourOf(made.nowUs)
  const ofAccount = new AccountHours(made.days * 24)
  const share = made.clicks / (Math.log(made.links) + 0.5772)
  let total = 0
  for (let linkId = 1; linkId <= made.links; linkId++) {
    // Rounded by chance, so that rare links get a click now and then.
    const count = Math.floor(share / linkId + chance.next())
    if (count === 0) continue
    total += count
    const cells = cellsOf(chance, { count, hours: made.days * 24, crowd })
    const { hours, raw } = rowsOf(
      chance,
      cells,
      { ...made, linkId, fromHour: toHour - made.days * 24 },
      ofAccount,
    )
    await writer.write(LINK_HOURS, hours)
    await writer.write(RAW_CLICKS, raw)
    await writer.write(LINK_TOTALS, [[linkId, made.accountId, count, count, 0, made.nowUs]])
  }
  await writer.write(ACCOUNT_TOTALS, [[made.accountId, total, total, 0, made.nowUs]])
  await writer.write(ACCOUNT_HOURS, ofAccount.rows(made.accountId, toHour - made.days * 24))
  await writer.end()
  return total
}

type Crowd = { count: number; hours: number; crowd: Int32Array }

/** Hour and audience of each click as one number, in order. */
function cellsOf(chance: SeededChance, { count, hours, crowd }: Crowd): Float64Array {
  const cells = new Float64Array(count)
  for (let i = 0; i < count; i++)
    cells[i] = Math.floor(chance.next() * hours) * AUDIENCES + chance.oneOf(crowd)
  return cells.sort()
}

function anAudience(chance: SeededChance): number {
  const referrer = chance.next() < 0.3 ? 0 : chance.skewed(REFERRERS.length - 1)
  const country = chance.skewed(COUNTRIES.length) - 1
  const system = chance.skewed(SYSTEMS.length) - 1
  const browser = chance.skewed(BROWSERS.length) - 1
  return ((country * SYSTEMS.length + system) * BROWSERS.length + browser) * REFERRERS.length + referrer
}

type OfLink = MadeClicks & { linkId: number; fromHour: number }

function rowsOf(chance: SeededChance, cells: Float64Array, of: OfLink, account: AccountHours) {
  const hours: unknown[][] = []
  const raw: unknown[][] = []
  for (let from = 0, to = 0; from < cells.length; from = to) {
    while (to < cells.length && cells[to] === cells[from]) to++
    const cell = cells[from]!
    const [hour, audience] = [Math.floor(cell / AUDIENCES), cell % AUDIENCES]
    hours.push([of.linkId, of.fromHour + hour, audience + 1, to - from, to - from, 0])
    account.add(hour, audience, to - from)
    if (hour < (of.days - of.rawDays) * 24) continue
    for (let i = from; i < to; i++) {
      const clickedAt = (of.fromHour + hour) * HOUR_US + Math.floor(chance.next() * HOUR_US)
      raw.push([of.linkId, of.accountId, clickedAt, audience + 1, Math.floor(chance.next() * 2 ** 52), 0])
    }
  }
  return { hours, raw }
}

/** What the values of each dimension are, in the order of DIMENSIONS. */
const VALUES = [COUNTRIES, ['desktop', 'mobile'], BROWSERS, SYSTEMS.map(({ os }) => os), REFERRERS] as const

/** Which value an audience has in each dimension, in the order of DIMENSIONS. */
function placesOf(audience: number): number[] {
  const rest = Math.floor(audience / REFERRERS.length)
  const system = Math.floor(rest / BROWSERS.length) % SYSTEMS.length
  return [
    Math.floor(rest / BROWSERS.length / SYSTEMS.length),
    (VALUES[1] as readonly string[]).indexOf(SYSTEMS[system]!.device),
    rest % BROWSERS.length,
    system,
    audience % REFERRERS.length,
  ]
}

const PLACES = Array.from({ length: AUDIENCES }, (_, audience) => placesOf(audience))

const audienceRows = (): unknown[][] =>
  PLACES.map((places, audience) => [
    audience + 1,
    ...places.map((place, dimension) => VALUES[dimension]![place]),
  ])

/** Clicks of an account by hour and value of each dimension. */
class AccountHours {
  readonly #clicks: Int32Array[]
  readonly #hours: number

  constructor(hours: number) {
    this.#hours = hours
    this.#clicks = VALUES.map((values) => new Int32Array(hours * values.length))
  }

  add(hour: number, audience: number, clicks: number): void {
    const places = PLACES[audience]!
    for (let dimension = 0; dimension < places.length; dimension++)
      this.#clicks[dimension]![hour * VALUES[dimension]!.length + places[dimension]!]! += clicks
  }

  rows(accountId: number, fromHour: number): unknown[][] {
    return Array.from({ length: this.#hours }, (_, hour) => {
      const row = (dimension: string, value: string, clicks: number) =>
        clicks === 0 ? [] : [[accountId, dimension, fromHour + hour, value, clicks, clicks, 0]]
      const byValue = VALUES.map((values, dimension) =>
        this.#clicks[dimension]!.subarray(hour * values.length, (hour + 1) * values.length),
      )
      const total = byValue[0]!.reduce((sum, clicks) => sum + clicks, 0)
      const rows = byValue.flatMap((some, dimension) =>
        [...some].flatMap((clicks, place) => row(DIMENSIONS[dimension]!, VALUES[dimension]![place]!, clicks)),
      )
      return [...row('total', '', total), ...rows]
    }).flat()
  }
}

/** Gathers rows into large transactions. */
class BatchWriter {
  readonly #db: Db
  readonly #waiting = new Map<RowTarget, unknown[][]>()
  #count = 0

  constructor(db: Db) {
    this.#db = db
  }

  async write(target: RowTarget, rows: unknown[][]): Promise<void> {
    const waiting = this.#waiting.get(target) ?? []
    this.#waiting.set(target, waiting)
    for (const row of rows) waiting.push(row)
    this.#count += rows.length
    if (this.#count >= ROWS_PER_TRANSACTION) await this.end()
  }

  async end(): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      for (const [target, rows] of this.#waiting) await writeRows(tx, target, rows)
    })
    this.#waiting.clear()
    this.#count = 0
  }
}
