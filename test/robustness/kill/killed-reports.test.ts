import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { callerWithRole } from '../../../src/access/caller.ts'
import { chooseEmailReport } from '../../../src/email-reports/choose-email-report.ts'
import { lastPeriod, nextReportUs } from '../../../src/email-reports/report-period.ts'
import { DAY_US, HOUR_US, MINUTE_US, systemClock } from '../../../src/runtime/clock.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { openBatchCounter } from '../../rigs/clicks/batch-counter.ts'
import { aClick } from '../../rigs/clicks/journal-rig.ts'
import { becomes, until } from '../../rigs/eventually.ts'
import { partsOf, startMailServer } from '../../rigs/outside/mail-server.ts'
import { testEngine } from '../../rigs/store/test-store.ts'
import { killNode } from '../driver/faults.ts'
import { movesClicks } from '../driver/moving-clicks.ts'
import { Tern } from '../driver/tern.ts'

const CLICKS = 12
const SCHEDULE = { frequency: 'weekly', timezone: 'Europe/Berlin' } as const

test('a report about clicks in files, whose sender is killed, comes again as the same message, and is done then', async () => {
  const mailServer = await startMailServer()
  await using tern = await new Tern({
    machine: {},
    changes: movesClicks({ leftOpen: 2, movedAtOnce: 3 }),
    settings: { SMTP_URL: mailServer.url },
  }).prepare()
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = tern.operator.settings
  const store = await openStore({ dataDir, databaseUrl }, 'same-thread')
  const dueUs = nextReportUs(SCHEDULE, lastPeriod(SCHEDULE, systemClock.nowUs()).to)
  await makeReader(tern, store, dueUs - 4 * DAY_US)
  mailServer.acceptance = new Promise(() => {})
  await tern.start()
  await until(async () => testEngine !== 'sqlite' || (await hasClickFiles(store)))
  tern.machine.setClock(dueUs + MINUTE_US - systemClock.nowUs())
  await until(() => mailServer.mails.length === 1)
  await killNode(tern)
  mailServer.acceptance = Promise.resolve()
  tern.machine.setClock(dueUs + HOUR_US - systemClock.nowUs())
  await tern.start()
  const { to } = lastPeriod(SCHEDULE, dueUs)
  await becomes(() => stateOf(store), { reported_to: to, due_at: nextReportUs(SCHEDULE, to) })
  for (const { source } of mailServer.mails)
    expect(partsOf(source).headers).toContain(`Subject: ${CLICKS} clicks from `)
  const ids = mailServer.mails.map(({ source }) => /^Message-ID: (.*)$/m.exec(partsOf(source).headers)![1])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  await tern.stopAll()
  await store.close()
  await mailServer.stop()
})

async function makeReader(tern: Tern, store: Store, clickedAtUs: number): Promise<void> {
  const { workspaceId, userId } = tern.operator
  const caller = callerWithRole({ workspaceId, userId, role: 'owner', name: '', device: '' })
  await chooseEmailReport({ db: store.db, clock: systemClock }, caller, SCHEDULE)
  await (
    await openBatchCounter(store, 'reported')
  ).count(
    Array.from({ length: CLICKS }, (_, n) => aClick(n + 1, { workspaceId, clickedAtUs: clickedAtUs + n })),
  )
}

async function hasClickFiles(store: Store): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM click_files LIMIT 1`.execute(store.db)
  return rows.length > 0
}

const stateOf = (store: Store) =>
  store.db.selectFrom('email_reports').select(['reported_to', 'due_at']).executeTakeFirst()
