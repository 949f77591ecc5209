import { z } from 'zod'
import type { SignedInCaller } from '../access/caller.ts'
import { timezoneName } from '../links/rules/condition-fields.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AnyDb, DurableDb } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { newSecret } from '../users/tokens/secret-text.ts'
import { choice } from '../validation/field-rules.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { readSetting } from '../workspaces/settings/read-settings.ts'
import { lastPeriod, nextReportUs, REPORT_FREQUENCIES } from './report-period.ts'

export const REPORT_CHOICES = ['off', ...REPORT_FREQUENCIES] as const
type ReportChoice = (typeof REPORT_CHOICES)[number]

export const emailReportChoice = z.object({
  frequency: choice(REPORT_CHOICES),
  timezone: timezoneName.optional().meta({ description: 'That of the workspace if it is absent, else UTC.' }),
})

/** `timezone`: null until the member has chosen one, and the workspace has none. */
export type EmailReport = { frequency: ReportChoice; timezone: string | null; nextAtUs: number | null }

type Deps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** What the caller has chosen for the workspace. */
export async function findEmailReport(db: AnyDb, caller: SignedInCaller): Promise<EmailReport> {
  const row = await findRow(db, caller)
  if (row === undefined)
    return {
      frequency: 'off',
      timezone: await readSetting(db, caller.workspaceId, 'timezone'),
      nextAtUs: null,
    }
  const frequency = REPORT_CHOICES.find((each) => each === row.frequency) ?? 'off'
  const { timezone, reported_to: reportedTo } = row
  const nextAtUs = frequency === 'off' ? null : nextReportUs({ frequency, timezone }, reportedTo)
  return { frequency, timezone, nextAtUs }
}

const findRow = (db: AnyDb, { workspaceId, userId }: SignedInCaller) =>
  db
    .selectFrom('email_reports')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** The first report is of the week or month that has not ended yet. */
export async function chooseEmailReport(
  { db, clock }: Deps,
  caller: SignedInCaller,
  { frequency, timezone: chosenTimezone }: z.output<typeof emailReportChoice>,
): Promise<void> {
  const { workspaceId, userId } = caller
  await transact(db, async (tx) => {
    await lockForCaller(tx, caller, 'analytics:read')
    const before = await findRow(tx, caller)
    const timezone =
      chosenTimezone ?? before?.timezone ?? (await readSetting(tx, workspaceId, 'timezone')) ?? 'UTC'
    const values = { frequency, timezone, ...dueOf({ frequency, timezone }, before, clock.nowUs()) }
    await tx
      .insertInto('email_reports')
      .values({ workspace_id: workspaceId, user_id: userId, secret: newSecret(), ...values })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(values))
      .execute()
  })
}

type Before = { frequency: string; reported_to: number } | undefined

function dueOf(
  { frequency, timezone }: { frequency: ReportChoice; timezone: string },
  before: Before,
  nowUs: number,
): { reported_to: number; due_at: number | null } {
  const reportedBefore = before?.reported_to ?? 0
  if (frequency === 'off') return { reported_to: reportedBefore, due_at: null }
  const schedule = { frequency, timezone }
  // Another time zone must not lose the report that is due this morning.
  const reportedTo =
    before?.frequency === frequency
      ? reportedBefore
      : Math.max(reportedBefore, lastPeriod(schedule, nowUs).to)
  return { reported_to: reportedTo, due_at: nextReportUs(schedule, reportedTo) }
}
