import { Refusal } from '../errors/refusal.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { failureFields, isFailureOfAll, isFinalFailure } from '../mail/mail-failure.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Clock, HOUR_US, MINUTE_US } from '../runtime/clock.ts'
import { describeError, type Log } from '../runtime/log.ts'
import type { DurableDb } from '../store/handles.ts'
import { isStoreUnavailable } from '../store/store-errors.ts'
import { type DueReader, findDueReader, finishPeriod, moveDue } from './due-readers.ts'
import { lastPeriod, nextReportUs, type ReportPeriod, sentAtUs } from './report-period.ts'
import { reportId, writeReport, type WriteReportDeps } from './write-report.ts'

/** No conversation with a mail server takes longer. After it another node, or the next start, takes the report of one that was killed. */
const CLAIM_US = 15 * MINUTE_US
const RETRY_US_MIN = 5 * MINUTE_US
const RETRY_US_MAX = HOUR_US
/** At the end of the program, for the report that is being sent. */
const LAST_REPORT_MS_MAX = 3_000

export type ReportSenderDeps = WriteReportDeps & {
  db: DurableDb
  clock: Pick<Clock, 'nowUs'>
  log: Log
  metrics: Pick<Metrics, 'emailReports'>
  /** To the mail server. */
  send(email: EmailTemplate): Promise<void>
}

/**
 * Sends the reports that are due, each period once. The row of a reader is the queue: to claim a report moves its `due_at` into the
 * future, so that no other node takes it, and once it is sent `reported_to` moves on.
 *
 *   due ──(claim)──▶ being sent ──(accepted, or refused for good)──▶ due after the next period
 *    ▲                   └──(cannot be sent now)──▶ due in some minutes
 *    └──(killed: a quarter of an hour later)
 *
 * A program that is killed after the mail server has accepted a report, and before that is stored, sends it once more, with the same
 * Message-ID, by which mail servers and programs recognize a duplicate.
 */
export class ReportSender {
  readonly #deps: ReportSenderDeps
  #isStopping = false
  readonly #stopped = Promise.withResolvers<void>()
  #sending: Promise<void> = Promise.resolve()
  /** Those that are sent, as long as that is not stored: the database may fail in between. */
  readonly #unstored = new Set<string>()

  constructor(deps: ReportSenderDeps) {
    this.#deps = deps
  }

  /** Returns when none is due any more, or no other can be sent now. */
  async run(): Promise<void> {
    this.#sending = this.#sendAll()
    await Promise.race([this.#sending, this.#stopped.promise])
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.race([this.#sending.catch(() => {}), Bun.sleep(LAST_REPORT_MS_MAX)])
    this.#stopped.resolve()
  }

  async #sendAll(): Promise<void> {
    while (!this.#isStopping) {
      const { db, clock } = this.#deps
      const reader = await findDueReader(db, clock.nowUs())
      if (reader === undefined || !(await this.#report(reader))) return
    }
  }

  /** False if no other report can be sent either. */
  async #report(reader: DueReader): Promise<boolean> {
    const { db, clock } = this.#deps
    const nowUs = clock.nowUs()
    const period = lastPeriod(reader, nowUs)
    if (period.to <= reader.reportedTo) {
      await moveDue(db, reader, nextReportUs(reader, reader.reportedTo))
      return true
    }
    const claimed = { ...reader, dueAtUs: nowUs + CLAIM_US }
    // Otherwise another node was faster.
    if (!(await moveDue(db, reader, claimed.dueAtUs))) return true
    const id = reportId(claimed, period)
    const outcome = this.#unstored.has(id) ? 'done' : await this.#send(claimed, period)
    if (outcome !== 'done') {
      const lateUs = clock.nowUs() - sentAtUs(period.to, reader.timezone)
      await moveDue(db, claimed, clock.nowUs() + retryAfterUs(lateUs))
      return outcome === 'later'
    }
    this.#unstored.add(id)
    await finishPeriod(db, claimed, period)
    this.#unstored.delete(id)
    return true
  }

  async #send(reader: DueReader, period: ReportPeriod): Promise<Outcome> {
    const { clock, log, metrics, send } = this.#deps
    try {
      const email = await writeReport(this.#deps, reader, { period, nowUs: clock.nowUs() })
      if (email === undefined) return 'done'
      const outcome = await send(email).then(
        () => 'done' as const,
        (error) => outcomeOf(log, error),
      )
      metrics.emailReports[outcome === 'done' ? 'sent' : 'failed'].add()
      return outcome === 'refused' ? 'done' : outcome
    } catch (error) {
      metrics.emailReports.failed.add()
      if (isStoreUnavailable(error)) throw error
      // A refusal passes, and is no bug: the process that reads files of clicks is restarted, say.
      if (error instanceof Refusal)
        log.warn('A report could not be written; will retry.', { reason: error.message })
      else log.error('A report could not be written; will retry.', describeError(error))
      return 'later'
    }
  }
}

/** `done`: the period needs no report any more. `away`: no other report can be sent now. */
type Outcome = 'done' | 'later' | 'away'

function outcomeOf(log: Log, error: unknown): Outcome | 'refused' {
  const isOfAll = isFailureOfAll(error)
  if (!isOfAll && isFinalFailure(error)) {
    log.warn('The mail server refused a report; the next one will be sent.', failureFields(error))
    return 'refused'
  }
  log.warn('Could not send a report; will retry.', failureFields(error))
  return isOfAll ? 'away' : 'later'
}

/** As long again as it has been due, within bounds. */
const retryAfterUs = (lateUs: number): number => Math.min(Math.max(lateUs, RETRY_US_MIN), RETRY_US_MAX)
