import type { Database } from 'bun:sqlite'
import { contradictionsIn } from '../rigs/store-agreement.ts'
import { browserOf, type ClickLedger, type LedgerClick } from './click-ledger.ts'
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
  /** Names of the files in which records are kept that could not be understood. */
  deadLetters: string[]
  alarms: ReadonlySet<string>
  happened: ReadonlySet<Happening>
}

/** What is not as promised: nothing, as it should be. For each click acknowledged ≤ counted ≤ sent, and counted once. */
export function brokenPromises(judged: Judged): string[] {
  const { ledger, database, alarms, happened } = judged
  const counted = countedClicks(database)
  return [
    ...ledger.clicks.flatMap((click) => brokenPromise(click, counted.get(click.id) ?? [])),
    ...[...counted.keys()]
      .filter((id) => ledger.find(id) === undefined)
      .map((id) => `Click ${id} is counted and was never sent.`),
    ...contradictionsIn(database, excusedClaims(ledger, happened)),
    ...visitorsApart(database),
    ...lettersMissing(judged),
    ...[...alarms]
      .filter((alarm) => !isExplained(alarm, happened))
      .map((alarm) => `Without a reason: ${alarm}`),
  ]
}

type CountedClick = { visitor: number; link_id: number; browser: string | null }

function brokenPromise(click: LedgerClick, counted: CountedClick[]): string[] {
  const { id, linkId, outcome, run, mayBeMissing, mayCountThoughRefused } = click
  const [first] = counted
  if (counted.length > 1) return [`Click ${id} of run ${run} is counted ${counted.length} times.`]
  if (first === undefined && outcome === 'acknowledged' && mayBeMissing === undefined)
    return [`Click ${id} of run ${run} was acknowledged and is not counted.`]
  if (first !== undefined && outcome === 'refused' && !mayCountThoughRefused)
    return [`Click ${id} of run ${run} was refused, nothing crashed, and it is counted.`]
  if (first !== undefined && (first.link_id !== linkId || (first.browser ?? 'Bot') !== browserOf(id)))
    return [`Click ${id} is counted as another: ${JSON.stringify(first)}.`]
  return []
}

/** The counted clicks by the number that is their visitor's. */
function countedClicks(database: Database): Map<number, CountedClick[]> {
  const rows = database.query(
    'SELECT visitor, link_id, browser FROM clicks LEFT JOIN audiences ON audiences.id = audience_id',
  )
  return Map.groupBy(rows.all() as CountedClick[], ({ visitor }) => visitor)
}

/** What is not understood is put aside before the position moves past it. */
function lettersMissing({ database, deadLetters, happened }: Judged): string[] {
  const { letters } = database.query('SELECT SUM(dead_letters) AS letters FROM journal_segments').get() as {
    letters: number
  }
  const isExcused = [...happened].some((each) => each === 'power failure' || each.endsWith('journal folder'))
  if (isExcused || letters <= deadLetters.length) return []
  return [`${letters} records were not understood, and ${deadLetters.length} are kept.`]
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
      ...['segment deleted', 'older journal folder', 'older database and journal folder'],
      ...['removed by another', 'power failure'],
    ] as Happening[],
  ],
  ['The journal holds records that this version does not understand.', ['poison record']],
  [
    // After a power failure: it was counted, then the disk lost it.
    'The journal is older than the database: the last counted segment is missing.',
    ['segment deleted', 'older journal folder', 'power failure'],
  ],
]

/** Every run may be killed in that moment. */
const AFTER_A_KILL =
  'A journal segment is empty: its process was killed while creating it, or the disk lost its contents.'

const isExplained = (alarm: string, happened: ReadonlySet<Happening>) =>
  alarm === AFTER_A_KILL ||
  EXPLAINED_BY.some(([text, reasons]) => text === alarm && reasons.some((reason) => happened.has(reason)))
