import { expect, test } from 'bun:test'
import { eventually } from '../../test/rigs/eventually.ts'
import { jsonLog } from '../runtime/log.ts'
import type { EmailTemplate } from './email-template.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import { MailQueue } from './mail-queue.ts'

const metrics = openMetrics(newSharedMetrics())

const email = (n: number): EmailTemplate => ({
  to: `${n}@example.com`,
  subject: `No. ${n}`,
  paragraphs: [],
  notes: [],
})

test('four emails are under way at most, and all are delivered', async () => {
  const sent: string[] = []
  let underWay = 0
  let most = 0
  const queue = new MailQueue({
    metrics,
    log: jsonLog('silent', 'test'),
    async send({ to }) {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      sent.push(to)
    },
  })
  for (let n = 0; n < 30; n++) queue.post(email(n))
  const before = metrics.mails.sent.value
  await queue.settle()
  expect(metrics.mails.sent.value - before).toBe(30)
  expect(most).toBe(4)
  expect(sent).toHaveLength(30)
})

test('an email that cannot be sent is tried four times, later and later, and then given up', async () => {
  const lines: string[] = []
  const waits: number[] = []
  let tries = 0
  const queue = new MailQueue({
    metrics,
    log: jsonLog('info', 'test', (line) => void lines.push(line)),
    wait: async (ms) => void waits.push(ms),
    async send() {
      tries++
      throw Object.assign(new Error('connect to 1@example.com'), { code: 'ECONNECTION' })
    },
  })
  queue.post(email(1))
  await queue.settle()
  expect([tries, waits]).toEqual([4, [1_000, 10_000, 60_000]])
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    message: 'Could not send an email.',
    code: 'ECONNECTION',
  })
  expect(lines.join()).not.toContain('example.com')
})

test('a thousand emails wait, and what comes beyond is dropped with a word in the log', async () => {
  const lines: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const queue = new MailQueue({
    metrics,
    log: jsonLog('info', 'test', (line) => void lines.push(line)),
    send: () => promise.then(() => void sent++),
  })
  for (let n = 0; n < 1_010; n++) queue.post(email(n))
  expect(lines).toHaveLength(10)
  resolve()
  await queue.settle()
  expect(sent).toBe(1_000)
})

test('emails that have to be tried again hold up no others, and take up room among those that wait', async () => {
  const sent: string[] = []
  const again: (() => void)[] = []
  const queue = new MailQueue({
    metrics,
    log: jsonLog('silent', 'test'),
    wait: () => new Promise((resolve) => void again.push(resolve)),
    async send({ to }) {
      if (to.startsWith('busy')) throw Object.assign(new Error('Not now.'), { responseCode: 451 })
      sent.push(to)
    },
  })
  for (let n = 0; n < 10; n++) queue.post({ ...email(n), to: `busy${n}@example.com` })
  queue.post(email(1))
  await eventually(
    async () => again.length,
    (count) => count === 10,
  )
  expect([sent, again.length, metrics.mailsWaiting.value]).toEqual([['1@example.com'], 10, 10])
  const before = metrics.mails.dropped.value
  for (let n = 0; n < 1_000; n++) queue.post({ ...email(n), to: `busy${n}@example.com` })
  expect(metrics.mails.dropped.value - before).toBe(10)
})

test('an address that the mail library itself refuses is not tried again', async () => {
  let tries = 0
  const before = metrics.mails.failed.value
  const queue = new MailQueue({
    metrics,
    log: jsonLog('silent', 'test'),
    async send() {
      tries++
      throw Object.assign(new Error('Invalid recipient'), { code: 'EENVELOPE' })
    },
  })
  queue.post(email(1))
  await queue.settle()
  expect([tries, metrics.mails.failed.value - before]).toEqual([1, 1])
})

test('an email is begun after its sender has gone on', async () => {
  const order: string[] = []
  const queue = new MailQueue({
    metrics,
    log: jsonLog('silent', 'test'),
    send: async () => void order.push('sent'),
  })
  queue.post(email(1))
  await new Promise((resolve) => setImmediate(resolve))
  order.push('answered')
  await queue.settle()
  expect(order).toEqual(['answered', 'sent'])
})
