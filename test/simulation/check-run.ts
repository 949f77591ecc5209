import type { Database } from 'bun:sqlite'
import { contradictionsIn } from '../rigs/store/store-agreement.ts'
import { browserOf, type ClickLedger, type LedgerClick } from './click-ledger.ts'
import type { MachineFault } from './scenario.ts'
import { referrerOf } from './simulated-links.ts'

/** Events that explain an error in the log or a missing click. */
export type Happening =
  | MachineFault
  | 'power failure'
  /** Two readers counted, and one removed a segment that the other still followed. */
  | 'removed by another'

type FinishedRun = {
  ledger: ClickLedger
  database: Database
  /** Names of the files with records that could not be understood. */
  deadLetters: string[]
  alarms: ReadonlySet<string>
  happened: ReadonlySet<Happening>
}

/**
 * Violated invariants; should be empty. For each click: acknowledged ≤ counted ≤ sent, and counted once. One that was deleted was counted,
 * and counts no more: it is among those that were deleted, and nowhere else.
 */
export function invariantViolations(run: FinishedRun): string[] {
  const { ledger, database, alarms, happened } = run
  const counted = countedClicks(database, ledger)
  return [
    ...ledger.astray,
    ...ledger.openings.violations(database),
    ...ledger.clicks.flatMap((click) => clickViolations(click, counted.get(click.id) ?? [])),
    ...[...counted.keys()]
      .filter((id) => ledger.find(id) === undefined)
      .map((id) => `Click ${id} is counted and was never sent.`),
    ...contradictionsIn(database, { excused: excusedInvariants(ledger, happened) }),
    ...deletionsUndone(run),
    ...visitorsApart(database),
    ...unreadableNotSaved(run),
    ...[...alarms]
      .filter((alarm) => !isExplained(alarm, happened))
      .map((alarm) => `Without a reason: ${alarm}`),
  ]
}

const VALUES = ['variant', 'via', 'language', 'alias'] as const
const COLUMNS = ['link_id', 'clicked_at', 'browser', 'referrer', ...VALUES, 'bots'].join(', ')

type CountedClick = Record<(typeof VALUES)[number] | 'browser' | 'referrer', string> & {
  link_id: number
  clicked_at: number
  bots: number
}

function clickViolations(click: LedgerClick, counted: CountedClick[]): string[] {
  const { id, outcome, run, journaled, mayBeMissing, mayCountThoughRefused } = click
  const [first] = counted
  if (counted.length > 1) return [`Click ${id} of run ${run} is counted ${counted.length} times.`]
  if (first === undefined && outcome === 'acknowledged' && mayBeMissing === undefined)
    return [`Click ${id} of run ${run} was acknowledged and is not counted.`]
  if (first !== undefined && outcome === 'refused' && !mayCountThoughRefused)
    return [`Click ${id} of run ${run} was refused, nothing crashed, and it is counted.`]
  if (first !== undefined && journaled === undefined)
    return [`Click ${id} of run ${run} was never journaled, and it is counted.`]
  if (first !== undefined && !isCountedAsItWas(click, first))
    return [`Click ${id} is counted as another: ${JSON.stringify(first)}.`]
  return []
}

/** Where it led, how it came, and when. */
function isCountedAsItWas({ id, linkId, journaled }: LedgerClick, counted: CountedClick): boolean {
  if (counted.link_id !== linkId || counted.clicked_at !== journaled!.click.clickedAtUs) return false
  if (counted.bots > 0) return browserOf(id) === 'Bot'
  return counted.browser === browserOf(id) && VALUES.every((name) => counted[name] === journaled![name])
}

/** The counted clicks, and those that were deleted, by the id of the click, of which the referrer has it. */
function countedClicks(database: Database, ledger: ClickLedger): Map<number, CountedClick[]> {
  const rows = database
    .query(`SELECT ${COLUMNS} FROM clicks UNION ALL SELECT ${COLUMNS} FROM deleted_clicks`)
    .all() as CountedClick[]
  const idOf = new Map(ledger.clicks.map(({ id }) => [referrerOf(id), id]))
  const ofVisitors = rows.filter(({ bots }) => bots === 0)
  const counted = Map.groupBy(ofVisitors, ({ referrer }) => idOf.get(referrer) ?? 0)
  const bots = rows.filter((row) => row.bots > 0)
  for (const [id, row] of idsOfBots(bots, ledger)) counted.set(id, [...(counted.get(id) ?? []), row])
  return counted
}

/** Of bots nothing is kept but link and time, and those that came to a link at the same time are the same: first to those that must be counted. */
function* idsOfBots(rows: CountedClick[], ledger: ClickLedger): Generator<[number, CountedClick]> {
  const placeOf = (linkId: number, time: number) => `${linkId} ${time}`
  const sent = ledger.clicks.filter(({ id, journaled }) => browserOf(id) === 'Bot' && journaled !== undefined)
  const byPlace = Map.groupBy(sent, ({ linkId, journaled }) => placeOf(linkId, journaled!.click.clickedAtUs))
  for (const [place, ofPlace] of Map.groupBy(rows, (row) => placeOf(row.link_id, row.clicked_at))) {
    const candidates = (byPlace.get(place) ?? []).toSorted((a, b) => urgency(a) - urgency(b))
    for (const [at, row] of ofPlace.entries()) yield [(candidates[at] ?? candidates[0])?.id ?? 0, row]
  }
}

function urgency({ outcome, mayBeMissing, mayCountThoughRefused }: LedgerClick): number {
  if (outcome === 'acknowledged') return mayBeMissing === undefined ? 0 : 1
  return outcome === 'refused' && !mayCountThoughRefused ? 3 : 2
}

/** Records that are not understood are saved before the position moves past them. */
function unreadableNotSaved({ database, deadLetters, happened }: FinishedRun): string[] {
  const { letters } = database.query('SELECT SUM(dead_letters) AS letters FROM journal_segments').get() as {
    letters: number
  }
  const isExcused = [...happened].some((each) => each === 'power failure' || each.endsWith('journal folder'))
  if (isExcused || letters <= deadLetters.length) return []
  return [`${letters} records were not understood, and ${deadLetters.length} are kept.`]
}

/** What the program has said to be deleted stays so. */
function deletionsUndone({ ledger, database }: FinishedRun): string[] {
  const { deleted } = database.query('SELECT count(*) AS deleted FROM deleted_clicks').get() as {
    deleted: number
  }
  return deleted >= ledger.deletedMin
    ? []
    : [`Not so: ${ledger.deletedMin} deleted clicks stay deleted, but only ${deleted} are.`]
}

/** Every click has a visitor of its own, so without bots the two numbers are equal. */
function visitorsApart(database: Database): string[] {
  return ['link_totals', 'clicks', 'workspace_totals', 'workspace_hours'].flatMap((table) =>
    database.query(`SELECT * FROM ${table} WHERE visitors <> clicks`).all().length === 0
      ? []
      : [`In ${table} there are more clicks, or fewer, than visitors.`],
  )
}

const JOURNAL_CHANGED: Happening[] = [
  'power failure',
  'bit rot',
  'poison record',
  'segment deleted',
  'older journal folder',
  'older database and journal folder',
] as Happening[]

/** Invariants that need not hold after what has happened. */
function excusedInvariants({ leftRefusedBytes }: ClickLedger, happened: ReadonlySet<Happening>): string[] {
  const chain = [
    'each segment begins where the one before it ended',
    'the last segment says how many clicks there have been',
  ]
  if (JOURNAL_CHANGED.some((each) => happened.has(each)))
    return ['the journal is counted to its end', ...chain]
  return leftRefusedBytes ? chain : []
}

const EXPLAINED_BY: [alarm: string, reasons: Happening[]][] = [
  ['A journal segment has no readable header.', ['power failure', 'bit rot', 'removed by another']],
  [
    'The header of a journal segment was damaged and has been rebuilt; a copy is in quarantine.',
    ['power failure', 'bit rot'],
  ],
  ['A journal segment is damaged; a copy is in quarantine.', ['power failure', 'bit rot']],
  ['Clicks are missing from a journal segment.', ['power failure', 'bit rot']],
  ['A journal segment is shorter than before; skipping it.', JOURNAL_CHANGED],
  [
    'A journal segment disappeared before all its clicks were counted.',
    [
      'segment deleted',
      'older journal folder',
      'older database and journal folder',
      'removed by another',
      'power failure',
    ] as Happening[],
  ],
  ['The journal holds records that this version does not understand.', ['poison record']],
  [
    // The power failed after it was counted, and the disk lost it.
    'The journal is older than the database: the last counted segment is missing.',
    ['segment deleted', 'older journal folder', 'power failure'],
  ],
]

/** Any run may be killed at that moment. */
const AFTER_A_KILL =
  'A journal segment is empty: its process was killed while creating it, or the disk lost its contents.'

const isExplained = (alarm: string, happened: ReadonlySet<Happening>) =>
  alarm === AFTER_A_KILL ||
  EXPLAINED_BY.some(([text, reasons]) => text === alarm && reasons.some((reason) => happened.has(reason)))
