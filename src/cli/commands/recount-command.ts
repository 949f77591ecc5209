import { type CheckedInvariant, checkCounters } from '../../clicks/repair/check-counters.ts'
import { Refusal } from '../../errors/refusal.ts'
import { openClickHouse } from '../../clicks/clickhouse/clickhouse.ts'
import { sumBatches } from '../../clicks/clickhouse/sum-batches.ts'
import { sumClosedClicks } from '../../clicks/parquet/sum-closed-clicks.ts'
import type { FileSums } from '../../clicks/parquet/sum-files.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../runtime/clock.ts'
import { jsonLog } from '../../runtime/log.ts'
import type { ReadDb } from '../../store/handles.ts'
import type { Command } from '../command.ts'

/** Examples per invariant: a counter that is wrong in one place is wrong in many. */
const ROWS_SHOWN_MAX = 20

export const recountCommand: Command = {
  name: 'recount',
  summary: 'Compare the counters with each other and with the clicks.',
  options: {
    check: { type: 'boolean', meaning: 'Report what differs. Required: this version repairs nothing.' },
    json: { type: 'boolean', meaning: 'Print JSON with every row that differs.' },
  },
  async run(call, { readStore, readConfig, clock, print }) {
    if (!call.isSet('check')) {
      throw new Refusal(
        'command_failed',
        'This version does not repair counters. Run tern recount --check to see whether they agree.',
      )
    }
    // Each result is printed as it is known: on millions of clicks a check takes seconds.
    const printLines = (claim: CheckedInvariant) => linesOf(claim).forEach((line) => print(line))
    const config = readConfig()
    const claims = await readStore(async (db) => {
      const closed = await sumClosed(db, { config, clock })
      return checkCounters(db, { closed, report: call.isSet('json') ? undefined : printLines })
    })
    const broken = claims.filter((claim) => claim.broken.length > 0)
    if (call.isSet('json')) print(JSON.stringify({ claims: claims.length, broken }))
    if (broken.length > 0)
      throw new Refusal('command_failed', `${broken.length} of ${claims.length} claims do not hold.`)
  },
}

/** Undefined if all clicks are in the table. */
function sumClosed(
  db: ReadDb,
  { config, clock }: { config: Config; clock: Clock },
): Promise<FileSums | undefined> | undefined {
  const { databaseUrl, dataDir, logLevel } = config
  if (databaseUrl === undefined)
    return sumClosedClicks(db, { dataDir, clock, log: jsonLog(logLevel, 'command') })
  const clickHouse = openClickHouse(config)
  return clickHouse && sumBatches(clickHouse, db)
}

function linesOf({ claim, broken }: CheckedInvariant): string[] {
  if (broken.length === 0) return [`ok       ${claim}`]
  const examples = broken
    .slice(0, ROWS_SHOWN_MAX)
    .map(({ subject, stored, others }) => `           ${subject}: ${stored} (by the others: ${others})`)
  const more = broken.length - examples.length
  return [`differs  ${claim}`, ...examples, ...(more > 0 ? [`           and ${more} more`] : [])]
}
