import { describe, expect, test } from 'bun:test'
import { partsOf } from '../../test/rigs/outside/mail-server.ts'
import { withPlugin } from '../../test/rigs/program/with-plugin.ts'
import { MONDAY_US, type Reader, useReportRig, WEDNESDAY_US } from '../../test/rigs/service/report-readers.ts'
import { enginesToTest } from '../../test/rigs/store/test-store.ts'
import { smtpSender } from '../mail/smtp-sender.ts'
import { DAY_US, HOUR_US, MINUTE_US } from '../runtime/clock.ts'

describe.each(enginesToTest('email reports'))('reports on %s', (engine) => {
  const rig = useReportRig(engine)

  test('arrive on Monday morning of the time zone, once, and the next ones a week later', async () => {
    const inUtc = await rig.addReader({ timezone: 'UTC' })
    const inDelhi = await rig.addReader()
    const sender = rig.sender()
    await sender.run()
    expect(recipients()).toEqual([])
    rig.clock.advance(MONDAY_US - WEDNESDAY_US - 5.5 * HOUR_US)
    await sender.run()
    expect(recipients()).toEqual([inDelhi.email])
    rig.clock.advance(5.5 * HOUR_US)
    for (let again = 0; again < 3; again++) await rig.sender().run()
    expect(recipients()).toEqual([inDelhi.email, inUtc.email])
    rig.clock.advance(7 * DAY_US)
    await sender.run()
    expect(recipients().slice(2).sort()).toEqual([inUtc.email, inDelhi.email].sort())
    expect(new Set(messageIds()).size).toBe(4)
    expect([rig.metrics.emailReports.sent.value, rig.log.lines]).toEqual([4, []])
  })

  test('say what was counted, and how to end them', async () => {
    const { workspaceId, userId } = await rig.addReader()
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    await rig.sender().run()
    const { headers, text, html } = partsOf(rig.mailServer.mails[0]!.source)
    expect(headers).toContain('Subject: 3 clicks from Nov 16 to Nov 22, 2026 at s.example')
    const href = /List-Unsubscribe: <(https:\S+)>/.exec(headers)![1]!
    expect(href).toStartWith(`https://s.example/unsubscribe/${workspaceId}.${userId}.`)
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(text.replaceAll('\r\n', '\n').trim()).toBe(reportText({ workspaceId, href }))
    expect(html).toContain(`href="${href}"`)
    expect(html).toContain('3 (No change)')
    expect(html).not.toMatch(/<(img|script|link)\b/)
  })

  test('that were missed for weeks come once, about the last period', async () => {
    await rig.addReader()
    rig.clock.advance(MONDAY_US - WEDNESDAY_US + 9 * DAY_US)
    await rig.sender().run()
    await rig.sender().run()
    expect(subjects()).toEqual(['3 clicks from Nov 23 to Nov 29, 2026 at s.example'])
    rig.clock.advance(7 * DAY_US)
    await rig.sender().run()
    expect(subjects()[1]).toStartWith('No clicks from Nov 30')
  })

  test('are not sent about a time without clicks after another one', async () => {
    await rig.addReader({ clicks: 0 })
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    await rig.sender().run()
    expect(recipients()).toEqual([])
    const { due_at: dueAt } = await rig.store.db
      .selectFrom('email_reports')
      .select('due_at')
      .executeTakeFirstOrThrow()
    expect(dueAt).toBeGreaterThan(rig.clock.nowUs() + 6 * DAY_US)
  })

  test('come once when several nodes send them at the same time', async () => {
    const readers: Reader[] = []
    for (let n = 0; n < 12; n++) readers.push(await rig.addReader())
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    await Promise.all([rig.sender(), rig.sender(), rig.sender()].map((sender) => sender.run()))
    expect(recipients().sort()).toEqual(readers.map(({ email }) => email).sort())
  })

  test('of a node that was killed are sent by the next one, as the same message', async () => {
    await rig.addReader()
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    const killed = rig.sender({ send: () => new Promise(() => {}) })
    void killed.run()
    await killed.stop()
    await rig.sender().run()
    expect(recipients()).toEqual([])
    rig.clock.advance(15 * MINUTE_US)
    await rig.sender().run()
    await rig.sender().run()
    expect(messageIds()).toHaveLength(1)
    // Had the first one been accepted, the reader's server would know the second one by this.
    await rig.store.db.updateTable('email_reports').set({ reported_to: 0, due_at: 1 }).execute()
    await rig.sender().run()
    expect(new Set(messageIds()).size).toBe(1)
  })

  test('wait for a mail server that is away, and then come once', async () => {
    await rig.addReader()
    await rig.addReader()
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    const away = rig.sender({
      send: smtpSender({
        smtpUrl: 'smtp://127.0.0.1:1',
        mailFrom: 'tern@s.example',
        baseUrl: 'https://s.example',
      }),
    })
    for (let tries = 0; tries < 20; tries++) {
      await away.run()
      rig.clock.advance(HOUR_US)
    }
    expect(rig.metrics.emailReports.failed.value).toBe(20)
    await rig.sender().run()
    await rig.sender().run()
    rig.clock.advance(HOUR_US)
    await rig.sender().run()
    expect(recipients().sort()).toEqual(['reader1@example.com', 'reader2@example.com'])
    expect(rig.log.lines.join()).not.toContain('example.com')
  })

  test.each(Object.entries(WRONG_MAIL_SETTINGS))(
    'wait until the mail settings are right: %s',
    async (_, wrong) => {
      const { email } = await rig.addReader()
      rig.clock.advance(MONDAY_US - WEDNESDAY_US)
      const { host } = new URL(rig.mailServer.url)
      rig.mailServer.refusedSenders.push('nobody@s.example')
      const send = smtpSender({ ...wrong, smtpUrl: wrong.smtpUrl + host, baseUrl: 'https://s.example' })
      await rig.sender({ send }).run()
      expect(rig.metrics.emailReports.failed.value).toBe(1)
      rig.clock.advance(HOUR_US)
      await rig.sender().run()
      expect(recipients()).toEqual([email])
    },
  )

  test('are tried again if the server is busy, and given up if it refuses the reader', async () => {
    const [busy, refused, other] = [await rig.addReader(), await rig.addReader(), await rig.addReader()]
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    rig.mailServer.refusals.push(451, 550)
    await rig.sender().run()
    expect(recipients()).toEqual([other.email])
    rig.clock.advance(HOUR_US)
    await rig.sender().run()
    expect(recipients()).toEqual([other.email, busy.email])
    rig.clock.advance(7 * DAY_US)
    await rig.sender().run()
    expect(recipients()).toContain(refused.email)
  })

  test('are not sent again when the database fails after the mail server has accepted them', async () => {
    await rig.addReader()
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    const { url: smtpUrl } = rig.mailServer
    const send = smtpSender({ smtpUrl, mailFrom: 'tern@s.example', baseUrl: 'https://s.example' })
    let isDown = false
    const db = withPlugin(rig.store.db, {
      transformQuery({ node }) {
        if (isDown) throw new Error('The database is down.')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const sender = rig.sender({ db, send: (email) => send(email).finally(() => (isDown = true)) })
    await expect(sender.run()).rejects.toThrow('The database is down.')
    isDown = false
    rig.clock.advance(HOUR_US)
    await sender.run()
    rig.clock.advance(HOUR_US)
    await rig.sender().run()
    expect(recipients()).toHaveLength(1)
  })

  test.each(Object.entries(WHO_GETS_NONE))('are not sent to %s', async (_, change) => {
    const reader = await rig.addReader()
    await change(rig.store.db, reader)
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    await rig.sender().run()
    expect([recipients(), rig.log.lines]).toEqual([[], []])
  })

  const recipients = () => rig.mailServer.mails.map(({ to }) => to[0]!)
  const headersOf = (name: string) =>
    rig.mailServer.mails.map(({ source }) =>
      new RegExp(`^${name}: (.*)$`, 'm').exec(partsOf(source).headers)![1]!.trim(),
    )
  const subjects = () => headersOf('Subject')
  const messageIds = () => headersOf('Message-ID')
})

type Change = (db: ReturnType<typeof useReportRig>['store']['db'], reader: Reader) => Promise<unknown>

const WHO_GETS_NONE: Record<string, Change> = {
  'somebody who has turned them off': (db) =>
    db.updateTable('email_reports').set({ frequency: 'off', due_at: null }).execute(),
  'a suspended user': (db, { userId }) =>
    db.updateTable('users').set({ suspended_at: 1 }).where('id', '=', userId).execute(),
  'a closed account': (db, { userId }) =>
    db.updateTable('users').set({ closed_at: 1 }).where('id', '=', userId).execute(),
  'a user whose email is not confirmed': (db, { userId }) =>
    db.updateTable('users').set({ email_verified_at: null }).where('id', '=', userId).execute(),
  'a user who is no member any more': (db, { userId }) =>
    db.deleteFrom('members').where('user_id', '=', userId).execute(),
  'members of a suspended workspace': (db, { workspaceId }) =>
    db.updateTable('workspaces').set({ suspended_at: 1 }).where('id', '=', workspaceId).execute(),
  'members of a deleted workspace': (db, { workspaceId }) =>
    db.updateTable('workspaces').set({ closed_at: 1 }).where('id', '=', workspaceId).execute(),
  'a user without the second factor that the workspace requires': (db, { workspaceId }) =>
    db.updateTable('workspaces').set({ requires_second_factor: 1 }).where('id', '=', workspaceId).execute(),
}

const WRONG_MAIL_SETTINGS = {
  'a password that the server refuses': { smtpUrl: 'smtp://tern:wrong@', mailFrom: 'tern@s.example' },
  'a sender that the server refuses': { smtpUrl: 'smtp://', mailFrom: 'nobody@s.example' },
}

const reportText = ({ workspaceId, href }: { workspaceId: number; href: string }) =>
  `Hello Reader 1,

This is what was counted for “Reader 1” from Nov 16 to Nov 22, 2026, compared with the 7 days before.

Clicks: 3 (No change)
Visitors: 2 (No change)

Countries
Germany: 3 (100%)

Sources
Direct or unknown: 3 (100%)

Open analytics:
https://s.example/dashboard/overview?from=2026-11-16T00%3A00%3A00%2B05%3A30&to=2026-11-22T23%3A59%3A59%2B05%3A30&workspace=${workspaceId}

Days begin at midnight in Asia/Kolkata. You get this email every Monday, as you chose in the settings.

Unsubscribe:
${href}`
