import type { Database } from 'bun:sqlite'
import { contradictionsIn } from '../rigs/store-agreement.ts'
import type { ClickLedger, LedgerClick } from './click-ledger.ts'
import type { Mishap } from './scenario.ts'

/** What happened to the machine, as far as it explains an alarm or a gap. */
export type Happening =
  | Mishap
  | 'power failure'
  /** Two readers counted, and one of them removed what the other still followed. */
  | 'removed by another'

type Judged = {
  ledger: ClickLedger
  database: Database
  alarms: ReadonlySet<string>
  happened: ReadonlySet<Happening>
}

/** What is not as promised: nothing, as it should be. For each click acknowledged ≤ counted ≤ sent, and counted once. */
export function brokenPromises({ ledger, database, alarms, happened }: Judged): string[] {
  const counted = countedTimes(database)
  const ofClicks = ledger.clicks.flatMap((click) => brokenPromise(click, counted.get(click.id) ?? 0))
  const neverSent = [...counted.keys()].filter((id) => ledger.find(id) === undefined)
  return [
    ...ofClicks,
    ...neverSent.map((id) => `Click ${id} is counted and was never sent.`),
    ...contradictionsIn(database, excusedClaims(ledger, happened)),
    ...visitorsApart(database),
    ...[...alarms]
      .filter((alarm) => !isExplained(alarm, happened))
      .map((alarm) => `Without a reason: ${alarm}`),
  ]
}

function brokenPromise(click: LedgerClick, times: number): string[] {
  const { id, outcome, run, mayBeMissing, mayCountThoughRefused } = click
  if (times > 1) return [`Click ${id} of run ${run} is counted ${times} times.`]
  if (times === 0 && outcome === 'acknowledged' && mayBeMissing === undefined)
    return [`Click ${id} of run ${run} was acknowledged and is not counted.`]
  if (times === 1 && outcome === 'refused' && !mayCountThoughRefused)
    return [`Click ${id} of run ${run} was refused, nothing crashed, and it is counted.`]
  return []
}

/** How often each click is among the counted ones, by the number that is its visitor's. */
function countedTimes(database: Database): Map<number, number> {
  const rows = database.query('SELECT visitor, COUNT(*) AS times FROM clicks GROUP BY visitor').all()
  return new Map((rows as { visitor: number; times: number }[]).map(({ visitor, times }) => [visitor, times]))
}

/** Every click is a visitor of its own, so where bots are left out there are as many of the one as of the other. */
function visitorsApart(database: Database): string[] {
  return ['link_totals', 'link_hours', 'account_totals', 'account_hours'].flatMap((table) =>
    database.query(`SELECT * FROM ${table} WHERE visitors <> clicks`).all().length === 0
      ? []
      : [`In ${table} there are more clicks, or fewer, than visitors.`],
  )
}

const JOURNAL_CHANGED: Happening[] = [
  ...['power failure', 'bit rot', 'poison record', 'segment deleted', 'older journal folder'],
  'older database and journal folder',
] as Happening[]

/** Claims that hold as long as the journal is whole. */
function excusedClaims({ leftRefusedBytes }: ClickLedger, happened: ReadonlySet<Happening>): string[] {
  const chain = 'each segment begins where the one before it ended'
  if (JOURNAL_CHANGED.some((each) => happened.has(each))) return ['the journal is counted to its end', chain]
  // A reader of that run has left them out, and the next run has taken them for journaled.
  return leftRefusedBytes ? [chain] : []
}

const EXPLAINED_BY: [alarm: string, reasons: Happening[]][] = [
  ['A journal segment has no readable header.', ['power failure', 'bit rot', 'removed by another']],
  ['A journal segment is damaged; a copy is in quarantine.', ['power failure', 'bit rot']],
  ['Clicks are missing from a journal segment.', ['power failure', 'bit rot']],
  ['A journal segment is shorter than it was; it is left alone.', JOURNAL_CHANGED],
  ['The journal holds records that this version does not understand.', ['poison record']],
]

const isExplained = (alarm: string, happened: ReadonlySet<Happening>) =>
  EXPLAINED_BY.some(([text, reasons]) => text === alarm && reasons.some((reason) => happened.has(reason)))
