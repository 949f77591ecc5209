import { type CheckedInvariant, checkCounters } from '../../clicks/repair/check-counters.ts'
import { Refusal } from '../../errors/refusal.ts'
import { sumClosedClicks } from '../../clicks/parquet/sum-closed-clicks.ts'
import { jsonLog } from '../../runtime/log.ts'
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
    const { databaseUrl, dataDir, logLevel } = readConfig()
    const log = jsonLog(logLevel, 'command')
    const claims = await readStore(async (db) => {
      const closed =
        databaseUrl === undefined ? await sumClosedClicks(db, { dataDir, clock, log }) : undefined
      return checkCounters(db, { closed, report: call.isSet('json') ? undefined : printLines })
    })
    const broken = claims.filter((claim) => claim.broken.length > 0)
    if (call.isSet('json')) print(JSON.stringify({ claims: claims.length, broken }))
    if (broken.length > 0)
      throw new Refusal('command_failed', `${broken.length} of ${claims.length} claims do not hold.`)
  },
}

function linesOf({ claim, broken }: CheckedInvariant): string[] {
  if (broken.length === 0) return [`ok       ${claim}`]
  const examples = broken
    .slice(0, ROWS_SHOWN_MAX)
    .map(({ subject, stored, others }) => `           ${subject}: ${stored} (by the others: ${others})`)
  const more = broken.length - examples.length
  return [`differs  ${claim}`, ...examples, ...(more > 0 ? [`           and ${more} more`] : [])]
}
