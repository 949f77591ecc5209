import { checkClickTable, lastBatch } from '../clicks/clickhouse/click-table.ts'
import { ClickHouse } from '../clicks/clickhouse/clickhouse.ts'
import { compareTotals } from '../clicks/clickhouse/sum-batches.ts'
import { EngineError } from '../clicks/parquet/engine-error.ts'
import type { CurrentDb } from '../store/handles.ts'
import { fault, type Finding, findings, type Problem } from './finding.ts'

/** Whether ClickHouse answers, and has all clicks that were moved to it and no others. */
export async function checkClickHouse(db: CurrentDb, url: string | undefined): Promise<Finding[]> {
  const batch = await lastBatch(db)
  if (url === undefined)
    return batch === 0
      ? []
      : findingOf(fault('Clicks of this store are in ClickHouse: set CLICKHOUSE_URL to its database.'))
  try {
    return await checkServer(db, new ClickHouse(url), batch)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return findingOf(fault(`Reports of clicks cannot be answered. ${error.message}`))
  }
}

const findingOf = (...problems: Problem[]) => findings('clickhouse', problems, '')

async function checkServer(db: CurrentDb, clickHouse: ClickHouse, batch: number): Promise<Finding[]> {
  const [version] = await clickHouse.rows<[string]>('SELECT version()')
  if (batch === 0)
    return findings('clickhouse', [], `ClickHouse ${version![0]} answers. No clicks are in it yet.`)
  await checkClickTable(clickHouse, db)
  const { stored, expected } = await compareTotals(clickHouse, db)
  const problems: Problem[] =
    stored === expected
      ? []
      : [fault(`${stored} clicks are in ClickHouse, but by the counters it should be ${expected}.`)]
  return findings(
    'clickhouse',
    problems,
    `ClickHouse ${version![0]} has ${stored} clicks, as many as were moved to it.`,
  )
}
