import { callerWithRole } from '../../../src/access/caller.ts'
import { chooseEmailReport } from '../../../src/email-reports/choose-email-report.ts'
import { ReportSender, type ReportSenderDeps } from '../../../src/email-reports/report-sender.ts'
import { smtpSender } from '../../../src/mail/smtp-sender.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import { DAY_US, manualClock } from '../../../src/runtime/clock.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { openBatchCounter } from '../clicks/batch-counter.ts'
import { queriesOf } from '../clicks/fact-rows.ts'
import { recordingLog } from '../clicks/ingest-rig.ts'
import { aClick } from '../clicks/journal-rig.ts'
import { startMailServer } from '../outside/mail-server.ts'
import { type Engine, openTestStore } from '../store/test-store.ts'
import { usePerTest } from '../use-rig.ts'
import { addAccount } from './add-account.ts'

/** A Wednesday. */
export const WEDNESDAY_US = Date.UTC(2026, 10, 18, 12) * 1000
/** When the report about this week is due, in UTC. */
export const MONDAY_US = Date.UTC(2026, 10, 23, 7) * 1000
/** Not of UTC alone, and half an hour off the hours that counters are kept by, so that reports add up clicks. */
const TIMEZONE = 'Asia/Kolkata'

export type Reader = { userId: number; workspaceId: number; email: string }

/** A store with readers of reports, and a real mail server, on a Wednesday. */
async function openReportRig(dataDir: string, engine: Engine) {
  const store = await openTestStore(dataDir, engine)
  const mailServer = await startMailServer()
  const metrics = openMetrics(newSharedMetrics())
  const clock = manualClock(WEDNESDAY_US)
  const log = recordingLog()
  let readers = 0
  const addReader = async (others: { timezone?: string; clicks?: number } = {}): Promise<Reader> => {
    const email = `reader${++readers}@example.com`
    const { userId, workspaceId } = await addAccount(store.db, { email, name: `Reader ${readers}` })
    await store.db.updateTable('users').set({ email_verified_at: 1 }).where('id', '=', userId).execute()
    await store.db.updateTable('workspaces').set({ created_at: 1 }).where('id', '=', workspaceId).execute()
    const caller = callerWithRole({ userId, workspaceId, role: 'owner', name: '', device: '' })
    const { timezone = TIMEZONE, clicks = 3 } = others
    await chooseEmailReport({ db: store.db, clock }, caller, { frequency: 'weekly', timezone })
    if (clicks > 0) await addClicks(store, { workspaceId, clicks })
    return { userId, workspaceId, email }
  }
  return {
    store,
    mailServer,
    metrics,
    clock,
    log,
    addReader,
    /** As each node has one. */
    sender: (others: Partial<ReportSenderDeps> = {}) =>
      new ReportSender({
        db: store.db,
        clickQueries: queriesOf(store),
        clock,
        log,
        metrics,
        config: { baseUrl: 'https://s.example', unknownHosts: 'serve' },
        send: smtpSender({
          smtpUrl: mailServer.url,
          mailFrom: 'Tern <tern@s.example>',
          baseUrl: 'https://s.example',
        }),
        ...others,
      }),
    async stop() {
      await store.close()
      await mailServer.stop()
    },
  }
}

export const useReportRig = (engine: Engine) =>
  usePerTest(
    (folder) => openReportRig(folder, engine),
    (rig) => rig.stop(),
  )

/** On the Wednesday of the week before, of this one and of the next one, by two visitors. */
async function addClicks(store: Store, { workspaceId, clicks }: { workspaceId: number; clicks: number }) {
  const counter = await openBatchCounter(store, `of workspace ${workspaceId}`)
  for (const week of [-1, 0, 1]) {
    const clickedAtUs = WEDNESDAY_US + week * 7 * DAY_US
    await counter.count(
      Array.from({ length: clicks }, (_, n) =>
        // Their hashes differ every day.
        aClick(10 * (week + 2) + (n % 2), { workspaceId, linkId: workspaceId, clickedAtUs, referrer: '' }),
      ),
    )
  }
}
