import { sql } from 'kysely'
import { forgetOldEntries } from '../audit/forget-old-entries.ts'
import type { JournalReader } from '../clicks/ingest/journal-reader.ts'
import { forgetVisitors } from '../clicks/counters/seen-visitors.ts'
import { mergeNextClicks } from '../clicks/facts/merge-clicks.ts'
import type { ClickKeeper } from '../clicks/click-keeper.ts'
import { rotateVisitorSalts } from '../clicks/visitor/visitor-salts.ts'
import { type Clock, DAY_US, dayOf, monthOf } from '../runtime/clock.ts'
import { forgetSessions } from '../users/sign-in/session.ts'
import { forgetTokens } from '../users/tokens/single-use-token.ts'
import { forgetClosedReports } from '../operator/reports/close-reports.ts'
import { removeClosedUsers } from '../users/profile/remove-closed-users.ts'
import { removeClosedWorkspaces } from '../workspaces/remove-closed-workspaces.ts'
import { lookAtPendingDomains } from '../domains/look-at-pending.ts'
import { recheckDomains } from '../domains/recheck-domains.ts'
import type { DomainChecks } from '../domains/domain-checks.ts'
import type { ReportSender } from '../email-reports/report-sender.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { removeJobs } from '../import/jobs/remove-jobs.ts'
import { undoImports } from '../import/records/undo-imports.ts'
import type { LinkKey } from '../links/link-key.ts'
import { forgetNotFound } from '../links/not-found/store-not-found.ts'
import { removeStoredResponses } from '../links/idempotency.ts'
import { forgetDeletedLinks } from '../links/trash/forget-deleted-links.ts'
import { forgetChanges, indexNewLinks, prepareClickMonths, runOnOneNode } from '../store/engine-sql.ts'
import type { Store } from '../store/open-store.ts'
import { type DiskMetrics, measureDisk } from './measure-disk.ts'
import type { Job } from './start-jobs.ts'

export type JobDeps = {
  store: Store
  clock: Clock
  readers: readonly Pick<JournalReader, 'removeOld'>[]
  /** Undefined where all clicks are in PostgreSQL. */
  closedClicks?: Pick<ClickKeeper, 'run' | 'forgetWorkspaces'> | undefined
  metrics: DiskMetrics
  dataDir: string
  /** Whether the clicks of earlier runs have been counted. */
  hasCaughtUp(): boolean
  /** How long the exact times of clicks are kept. */
  rawClickDays: number
  /** How long deleted links can be restored. */
  trashDays: number
  /** How long entries of the audit log are kept. */
  auditDays: number
  /** Undefined without a mail server. */
  emailReports?: Pick<ReportSender, 'run'> | undefined
  domainChecks: Pick<DomainChecks, 'check'>
  baseUrl: string
  onSalts(salts: Map<number, Uint8Array>): void
  onMails(emails: readonly EmailTemplate[]): void
  onLinksChanged(keys: readonly LinkKey[]): void
  isStopping(): boolean
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** All scheduled jobs. */
export function jobs(deps: JobDeps): Job[] {
  // One at a time: each keeps a connection as long as it runs, and counting needs some too.
  let last = Promise.resolve()
  const inTurn = (job: Job) => {
    const run = last.then(() => runOnOneNode(deps.store.db, job.name, () => job.run()))
    last = run.catch(() => {})
    return run
  }
  return [
    ...clickJobs(deps),
    ...storeJobs(deps),
    ...accountJobs(deps),
    ...domainJobs(deps),
    undoJob(deps),
    importJobsJob(deps),
  ].map((job) => (job.isShared ? { ...job, run: () => inTurn(job) } : job))
}

function clickJobs(deps: JobDeps): Job[] {
  const { store, clock, readers, closedClicks, rawClickDays, hasCaughtUp, onSalts } = deps
  const { db, relaxedDb } = store
  return [
    {
      name: 'make the salts of today and tomorrow, destroy older ones',
      everyMs: 10 * MINUTE_MS,
      run: async () => onSalts(await rotateVisitorSalts(db, clock.nowUs())),
    },
    {
      name: 'forget which visitors came before yesterday',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: async () => {
        // After a restore, clicks of earlier days are counted again: their visitors must still be known.
        if (!hasCaughtUp()) return
        await forgetVisitors(relaxedDb, clock.nowUs())
      },
    },
    {
      name: 'merge clicks whose exact times are kept no longer',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: async () => {
        while (await mergeNextClicks(relaxedDb, { nowUs: clock.nowUs(), keepDays: rawClickDays }));
      },
    },
    {
      name: 'move clicks into files or to ClickHouse when they are many',
      everyMs: 15 * SECOND_MS,
      isShared: true,
      run: async () => closedClicks?.run(),
    },
    {
      name: 'make room for the clicks of the next days',
      everyMs: 60 * MINUTE_MS,
      run: async () => {
        const now = clock.nowUs()
        await prepareClickMonths(relaxedDb, [now, now + 2 * DAY_US].map(monthOf))
      },
    },
    {
      name: 'remove journal segments that have been counted',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        for (const reader of readers) await reader.removeOld()
      },
    },
  ]
}

function storeJobs({ store, clock, metrics, dataDir, trashDays }: JobDeps): Job[] {
  const { relaxedDb } = store
  return [
    {
      name: 'add new links to the search',
      everyMs: SECOND_MS,
      run: async () => {
        while (await indexNewLinks(relaxedDb));
      },
    },
    {
      name: 'forget answers kept for repeated requests',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: () => removeStoredResponses(relaxedDb, clock.nowUs()),
    },
    {
      name: 'empty the trash of links that were deleted long ago',
      everyMs: MINUTE_MS,
      isShared: true,
      run: () => forgetDeletedLinks(relaxedDb, { nowUs: clock.nowUs(), trashDays }),
    },
    {
      name: 'forget changes that all nodes have read',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: () => forgetChanges(relaxedDb),
    },
    {
      // It changes nothing. If the database refuses changes, the store notes it (StoreOutage), and so the health check knows.
      name: 'check that the database accepts changes',
      everyMs: 10_000,
      run: async () => {
        await sql`UPDATE store_identity SET id = id WHERE FALSE`.execute(relaxedDb)
      },
    },
    {
      name: 'measure the data folder and its disk',
      everyMs: 15_000,
      run: () => measureDisk(dataDir, metrics),
    },
  ]
}

/** Each step locks its import, so nodes need not take turns with the job. */
const undoJob = ({ store, ...deps }: JobDeps): Job => ({
  name: 'move links of imports that were undone to the trash',
  everyMs: SECOND_MS,
  run: () => undoImports({ ...deps, db: store.db }),
})

const importJobsJob = ({ store, clock, isStopping }: JobDeps): Job => ({
  name: 'remove imports that were deleted or have expired',
  everyMs: MINUTE_MS,
  isShared: true,
  run: () => removeJobs({ db: store.relaxedDb, clock, isStopping }),
})

function accountJobs({ store, clock, auditDays, closedClicks, emailReports, hasCaughtUp }: JobDeps): Job[] {
  const { relaxedDb } = store
  return [
    {
      name: 'forget sessions and mailed links that have ended',
      everyMs: 10 * MINUTE_MS,
      isShared: true,
      run: async () => {
        await forgetSessions(relaxedDb, clock.nowUs())
        await forgetTokens(relaxedDb, clock.nowUs())
      },
    },
    {
      name: 'forget reports that were closed long ago',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: () => forgetClosedReports(relaxedDb, clock.nowUs()),
    },
    {
      name: 'remove what closed accounts have left',
      everyMs: MINUTE_MS,
      isShared: true,
      async run() {
        await removeClosedWorkspaces({ db: relaxedDb, clock, closedClicks })
        await removeClosedUsers(relaxedDb, clock)
      },
    },
    {
      name: 'remove entries of the audit log that are kept no longer',
      everyMs: 60 * MINUTE_MS,
      isShared: true,
      run: () => forgetOldEntries(relaxedDb, { nowUs: clock.nowUs(), keepDays: auditDays }),
    },
    {
      // Not in turn with shared jobs, which would wait for the mail server. Nodes claim each report.
      name: 'send the reports that are due',
      everyMs: 15 * SECOND_MS,
      async run() {
        if (hasCaughtUp()) await emailReports?.run()
      },
    },
  ]
}

const domainJobs = ({ store, domainChecks: checks, ...deps }: JobDeps): Job[] => [
  {
    name: 'look at domains again after a day, or after an hour if their certificate is not valid',
    everyMs: MINUTE_MS,
    isShared: true,
    run: () => recheckDomains({ ...deps, db: store.relaxedDb, checks }),
  },
  {
    name: 'look at domains that are not verified yet',
    everyMs: MINUTE_MS,
    isShared: true,
    run: () => lookAtPendingDomains({ ...deps, db: store.relaxedDb, checks }),
  },
  {
    name: 'forget codes that led nowhere a month ago',
    everyMs: 60 * MINUTE_MS,
    isShared: true,
    run: () => forgetNotFound(store.relaxedDb, dayOf(deps.clock.nowUs())),
  },
]
