import type { CallCost } from './api-queries.ts'
import { markdownTable, median } from '../rigs/measure.ts'
import type { TableWork } from '../rigs/measured-postgres.ts'
import type { Counting, CountingCost } from './scale-out-ingest.ts'
import type { Yardstick } from './scale-out-yardsticks.ts'

export type Cost = {
  processes: number
  name: string
  operations: number
  perSecond: number
  visitorsUs: number
  ternUs: number
  postgresUs: number
  walBytes: number
  questions: { calls: number; rows: number } | undefined
}
export type Idle = { processes: number; seconds: number; ternUs: number; postgresUs: number; queries: number }

export type Results = {
  costs: Cost[]
  idle: Idle[]
  yardsticks: Yardstick[][]
  calls: CallCost[]
  sizes: { links: number; tables: TableWork[] }
}

export type CountingRun = Counting & CountingCost

/** Prints tables of medians over the rounds. */
export function reportLoads({ costs, idle, yardsticks, calls, sizes }: Results): void {
  titled('CPU µs of one operation', costTable(costs))
  titled('Look-ups that went to PostgreSQL', questionTable(costs))
  titled('Yardsticks, per row or redirect', yardstickTable(yardsticks))
  titled('One call of the API', callTable(calls))
  titled('Each second, of processes that nobody asks anything', idleTable(idle))
  titled('Bytes of one link', sizeTable(sizes))
}

export function reportCountings(countings: readonly CountingRun[]): void {
  titled('CPU µs of one counted click', countingTable(countings))
  titled('Written for a click', tablesTable(countings))
}

function titled(title: string, table: string): void {
  console.log(`${title}\n\n${table}\n`)
}

function costTable(costs: readonly Cost[]): string {
  const rows = grouped(costs, ({ name, processes }) => `${name} ${processes}`).map((group) => {
    const per = (part: 'ternUs' | 'visitorsUs' | 'postgresUs' | 'walBytes') =>
      median(group.map((cost) => cost[part] / cost.operations))
    return [
      group[0]!.name,
      String(group[0]!.processes),
      whole(median(group.map(({ perSecond }) => perSecond))),
      per('visitorsUs').toFixed(1),
      per('ternUs').toFixed(1),
      per('postgresUs').toFixed(1),
      share(per('postgresUs'), per('ternUs')),
      whole(per('walBytes')),
    ]
  })
  return markdownTable(
    ['', 'processes', 'a second', "visitors' threads", 'Tern', 'PostgreSQL', 'its share', 'WAL bytes'],
    rows,
  )
}

function questionTable(costs: readonly Cost[]): string {
  const asked = costs.filter(({ questions }) => questions !== undefined)
  const rows = grouped(asked, ({ processes }) => String(processes)).map((group) => [
    String(group[0]!.processes),
    `${(100 * median(group.map(({ questions, operations }) => questions!.rows / operations))).toFixed(1)} %`,
    median(group.map(({ questions }) => questions!.rows / questions!.calls)).toFixed(1),
  ])
  return markdownTable(['processes', 'of all', 'links a question'], rows)
}

function yardstickTable(rounds: readonly Yardstick[][]): string {
  const rows = rounds[0]!.map(({ name, clientUs }, i) => {
    const of = (part: 'perSecond' | 'serverUs') => median(rounds.map((round) => round[i]![part]))
    const client = clientUs === undefined ? '' : median(rounds.map((round) => round[i]!.clientUs!)).toFixed(1)
    return [name, whole(of('perSecond')), of('serverUs').toFixed(1), client]
  })
  return markdownTable(['', 'a second', 'CPU µs of the server', 'of its client'], rows)
}

function countingTable(countings: readonly CountingRun[]): string {
  const rows = groupedCountings(countings).map((group) => {
    const per = (part: 'ternUs' | 'postgresUs' | 'walBytes') =>
      median(group.map((cost) => cost[part] / cost.clicks))
    const bytes = median(group.map((cost) => sum(cost.tables, 'bytes') / cost.clicks))
    return [
      String(group[0]!.processes),
      whole(group[0]!.batchClicks),
      whole(median(group.map(({ perSecond }) => perSecond))),
      per('ternUs').toFixed(1),
      per('postgresUs').toFixed(1),
      share(per('postgresUs'), per('ternUs')),
      median(group.map((cost) => sum(cost.tables, 'rowsWritten') / cost.clicks)).toFixed(2),
      whole(per('walBytes')),
      whole(bytes),
      group.map(({ givenUp }) => givenUp).join(', '),
    ]
  })
  return markdownTable(
    [
      'processes',
      'clicks a batch',
      'clicks a second',
      'Tern',
      'PostgreSQL',
      'its share',
      'rows written',
      'WAL bytes',
      'bytes in tables',
      'batches given up',
    ],
    rows,
  )
}

/** Of the first way of counting. */
function tablesTable(countings: readonly CountingRun[]): string {
  const { clicks, tables } = countings[0]!
  const rows = tables
    .filter(({ rowsWritten }) => rowsWritten > clicks / 1_000)
    .map(({ table, rowsWritten, bytes }) => [
      table,
      (rowsWritten / clicks).toFixed(3),
      (bytes / clicks).toFixed(0),
    ])
  return markdownTable(['table', 'rows a click', 'bytes a click'], rows)
}

function callTable(calls: readonly CallCost[]): string {
  const rows = calls.map(({ name, queries, transactions, ternUs, postgresUs }) => [
    name,
    queries.toFixed(1),
    transactions.toFixed(1),
    (queries + 2 * transactions).toFixed(1),
    whole(ternUs),
    whole(postgresUs),
  ])
  return markdownTable(
    ['', 'queries', 'transactions', 'round trips', 'CPU µs of Tern', 'of PostgreSQL'],
    rows,
  )
}

function idleTable(idle: readonly Idle[]): string {
  const rows = grouped(idle, ({ processes }) => String(processes)).map((group) => {
    const per = (part: 'ternUs' | 'postgresUs' | 'queries') =>
      median(group.map((each) => each[part] / each.seconds))
    return [
      String(group[0]!.processes),
      per('queries').toFixed(1),
      (per('ternUs') / 1000).toFixed(1),
      (per('postgresUs') / 1000).toFixed(1),
    ]
  })
  return markdownTable(['processes', 'queries', 'CPU ms of Tern', 'of PostgreSQL'], rows)
}

function sizeTable({ links, tables }: Results['sizes']): string {
  const rows = tables
    .filter(({ bytes }) => bytes > links)
    .map(({ table, bytes }) => [table, whole(bytes / links)])
  return markdownTable(['table, with its indexes', 'bytes a link'], rows)
}

const groupedCountings = (countings: readonly CountingRun[]) =>
  grouped(countings, ({ processes, batchClicks }) => `${processes} ${batchClicks}`)

function grouped<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, nameOf).values()]
}

function sum(tables: readonly TableWork[], part: 'rowsWritten' | 'bytes'): number {
  return tables.reduce((total, table) => total + table[part], 0)
}

const share = (part: number, rest: number): string => `${Math.round((100 * part) / (part + rest))} %`
const whole = (number: number): string => Math.round(number).toLocaleString('en')
