import { expect, test } from 'bun:test'
import { callerWithRole } from '../../../src/access/caller.ts'
import { chooseEmailReport } from '../../../src/email-reports/choose-email-report.ts'
import { lastPeriod, nextReportUs } from '../../../src/email-reports/report-period.ts'
import { DAY_US, HOUR_US, MINUTE_US, systemClock } from '../../../src/runtime/clock.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { openBatchCounter } from '../../rigs/clicks/batch-counter.ts'
import { aClick } from '../../rigs/clicks/journal-rig.ts'
import { becomes, until } from '../../rigs/eventually.ts'
import { partsOf, startMailServer } from '../../rigs/outside/mail-server.ts'
import { killNode } from '../driver/faults.ts'
import { Tern } from '../driver/tern.ts'

const SCHEDULE = { frequency: 'weekly', timezone: 'Europe/Berlin' } as const

test('a report whose sender is killed comes again as the same message, and is done then', async () => {
  const mailServer = await startMailServer()
  await using tern = await new Tern({ machine: {}, settings: { SMTP_URL: mailServer.url } }).prepare()
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = tern.operator.settings
  const store = await openStore({ dataDir, databaseUrl }, 'same-thread')
  const dueUs = nextReportUs(SCHEDULE, lastPeriod(SCHEDULE, systemClock.nowUs()).to)
  await makeReader(tern, store, dueUs - 4 * DAY_US)
  mailServer.acceptance = new Promise(() => {})
  tern.machine.setClock(dueUs + MINUTE_US - systemClock.nowUs())
  await tern.start()
  await until(() => mailServer.mails.length === 1)
  await killNode(tern)
  mailServer.acceptance = Promise.resolve()
  tern.machine.setClock(dueUs + HOUR_US - systemClock.nowUs())
  await tern.start()
  const { to } = lastPeriod(SCHEDULE, dueUs)
  await becomes(() => stateOf(store), { reported_to: to, due_at: nextReportUs(SCHEDULE, to) })
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
  await (await openBatchCounter(store, 'reported')).count([aClick(1, { workspaceId, clickedAtUs })])
}

const stateOf = (store: Store) =>
  store.db.selectFrom('email_reports').select(['reported_to', 'due_at']).executeTakeFirst()
