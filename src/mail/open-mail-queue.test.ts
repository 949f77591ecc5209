import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type MailServer, partsOf, startMailServer } from '../../test/rigs/outside/mail-server.ts'
import { until } from '../../test/rigs/eventually.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { manualClock } from '../runtime/clock.ts'
import { jsonLog } from '../runtime/log.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import type { EmailTemplate } from './email-template.ts'
import { openMailQueue, outboxFolder } from './open-mail-queue.ts'

const folders = temporaryFolders()

let server: MailServer
let lines: string[]
let printed: string[]

beforeEach(startServer)

afterEach(async () => {
  await server.stop()
  folders.remove()
})

describe('with a mail server', () => {
  test('an email arrives as text and as HTML that say the same, from the sender of the settings', async () => {
    const office = open(server.url)
    office.post({ ...LETTER, to: 'zoe@example.com' })
    await office.settle()
    expect(server.mails).toEqual([
      { from: 'links@s.example', to: ['zoe@example.com'], source: expect.any(String) },
    ])
    const { headers, text, html } = partsOf(server.mails[0]!.source)
    expect(headers).toContain('From: Links <links@s.example>')
    expect(headers).toContain('Auto-Submitted: auto-generated')
    expect(text.replaceAll('\r\n', '\n').trim()).toBe(
      'Hello <b>Zoë</b>,\n\nthis is "it".\n\nConfirm:\nhttps://s.example/dashboard/verify-email#a_b-c\n\nOnce.',
    )
    expect(html).toContain('<p style="margin:0 0 16px">Hello &lt;b&gt;Zoë&lt;/b&gt;,</p>')
    expect(html).toContain('href="https://s.example/dashboard/verify-email#a_b-c"')
    expect(html).not.toMatch(/<(img|script|link)\b/)
    expect([lines, printed]).toEqual([[], []])
  })

  test('one that is busy is asked again, and one that says no for good is not; the log names no address', async () => {
    server.refusals.push(451, 550)
    const office = open(server.url)
    office.post({ ...LETTER, to: 'later@example.com' })
    office.post({ ...LETTER, to: 'later-or-never@example.com' })
    await office.settle()
    expect(server.mails).toHaveLength(1)
    expect(lines.map((line) => JSON.parse(line).response_code).sort()).toEqual([451, 550])
    expect(lines.join()).not.toContain('@')
  })

  test.each([
    ['the host of BASE_URL', 'https://links.example.com:8443', '', 'links.example.com'],
    ['its IPv4 address', 'http://10.1.2.3:3000', '', '[10.1.2.3]'],
    ['its IPv6 address', 'http://[2001:db8::1]', '', '[ipv6:2001:db8::1]'],
    ['what SMTP_URL says', 'https://links.example.com', '/?name=mail.example.org', 'mail.example.org'],
  ])('EHLO says %s', async (_, baseUrl, query, name) => {
    const office = open(server.url + query, { baseUrl })
    office.post({ ...LETTER, to: 'zoe@example.com' })
    await office.settle()
    // The server writes it in small letters.
    expect(server.clientNames).toEqual([name])
    expect(server.mails).toHaveLength(1)
  })

  test('one that cannot be reached is logged with what to do', async () => {
    const { url } = server
    await server.stop()
    const office = open(url)
    office.post({ ...LETTER, to: 'zoe@example.com' })
    await until(() => lines.length > 0)
    expect(JSON.parse(lines[0]!).reason).toBe(
      `Nothing listens at the port of SMTP_URL (connect ECONNREFUSED ${url.slice('smtp://'.length)}). Check host and port, and that the mail server runs.`,
    )
    server = await startMailServer()
  })

  test('no header can be smuggled in by an address or a subject', async () => {
    const office = open(server.url)
    office.post({ ...LETTER, to: 'zoe@example.com', subject: 'Hello\r\nBcc: victim@example.com' })
    await office.settle()
    expect(server.mails[0]!.to).toEqual(['zoe@example.com'])
    expect(partsOf(server.mails[0]!.source).headers).not.toMatch(/^Bcc:/m)
  })
})

describe('without a mail server', () => {
  test('an email becomes a file for its owner alone, and its link is printed', async () => {
    const dataDir = folders.make()
    const office = open(undefined, { dataDir })
    office.post(LETTER)
    await office.settle()
    expect(readdirSync(outboxFolder(dataDir))).toEqual(['20261121T093000-0001.eml'])
    const path = join(outboxFolder(dataDir), '20261121T093000-0001.eml')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(outboxFolder(dataDir)).mode & 0o777).toBe(0o700)
    expect(partsOf(readFileSync(path, 'utf8')).text).toContain(LETTER.action!.href)
    expect(printed).toEqual([`Email for ${LETTER.to}: ${LETTER.subject}\n  ${LETTER.action!.href}`])
    expect(server.mails).toEqual([])
  })
})

async function startServer(): Promise<void> {
  server = await startMailServer()
  lines = []
  printed = []
}

const MAIL_FROM = 'Links <links@s.example>'

const LETTER: EmailTemplate = {
  to: 'zoë@example.com',
  subject: 'Bestätige <deine> Adresse',
  paragraphs: ['Hello <b>Zoë</b>,', 'this is "it".'],
  action: { label: 'Confirm', href: 'https://s.example/dashboard/verify-email#a_b-c' },
  notes: ['Once.'],
}

const open = (
  smtpUrl: string | undefined,
  { dataDir = '', baseUrl = 'https://links.example.com:8443' } = {},
) =>
  openMailQueue(
    {
      log: jsonLog('info', 'test', (line) => void lines.push(line)),
      metrics: openMetrics(newSharedMetrics()),
      clock: manualClock(Date.UTC(2026, 10, 21, 9, 30) * 1000),
      print: (line) => void printed.push(line),
    },
    { smtpUrl, mailFrom: MAIL_FROM, baseUrl, dataDir },
  )
