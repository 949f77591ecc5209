import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isoMicroseconds, MINUTE_US } from '../runtime/clock.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

/** Clocks synchronized over the network differ by less. */
const TOLERATED_US = 5 * MINUTE_US
/** 2026-06-01, the date of this version's country data: it cannot be earlier. */
const NEVER_BEFORE_US = 1_780_272_000_000_000

/** The last known time in the database. */
export type LastTimes = { fileUs: number; clickUs: number }

export function checkClock(nowUs: number, { fileUs, clickUs }: LastTimes): Finding[] {
  const complaints: Problem[] = []
  if (nowUs < NEVER_BEFORE_US)
    complaints.push(fault(`The clock says ${isoMicroseconds(nowUs)}, which is in the past. Set the clock.`))
  if (fileUs > nowUs + TOLERATED_US) {
    complaints.push(
      warning(`A file in the data folder has the time ${isoMicroseconds(fileUs)}, which is in the future.`),
    )
  }
  if (clickUs > nowUs + TOLERATED_US) {
    complaints.push(warning(`The last click was at ${isoMicroseconds(clickUs)}, which is in the future.`))
  }
  return findings('clock', complaints, `It is ${isoMicroseconds(nowUs).slice(0, 19)}Z.`)
}

export async function lastClickUs(db: CurrentDb): Promise<number> {
  const row = await db
    .selectFrom('workspace_totals')
    .select((eb) => eb.fn.max('last_clicked_at').as('at'))
    .executeTakeFirst()
  return Number(row?.at ?? 0)
}

export function lastFileUs(dataDir: string): number {
  const times = readdirSync(dataDir).map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(0, ...times) * 1000
}
