import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openMetrics, newSharedMetrics } from '../../src/metrics/metrics.ts'
import { metricsText } from '../../src/http/metrics/metrics-text.ts'
import { eventually } from '../rigs/eventually.ts'
import { KeepAliveClient } from '../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../rigs/program/operated-folder.ts'
import { type Family, parsePrometheusText, valueOf } from '../rigs/http/prometheus-text.ts'
import { RawConnection, rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { ServerProcess } from '../rigs/program/server-process.ts'
import { startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { startServiceRig } from '../rigs/service/service-rig.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'

const PUBLIC_MAX = 1_000

const folders = temporaryFolders()
const servers: ServerProcess[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  folders.remove()
})

const STATUSES = ['200', '301', '302', '303', '307', '308', '403', '404', '405', '410', '429', '500', '503']
const NO_ANSWERS = Object.fromEntries(STATUSES.map((status) => [status, 0]))

describe('the metrics match what happened', () => {
  test('for redirects, clicks, lookups and counting', async () => {
    const folder = await operateFolder(folders.make())
    await start(folder)
    await folder.makeLinks(['code', 'off'])
    await folder.api('POST', '/api/links/off/toggle')
    expect(await openLink(folder, 37)).toEqual(new Set([302]))
    expect(await openLink(folder, 4, '/code', 'HEAD')).toEqual(new Set([302]))
    expect(await openLink(folder, 3, '/off')).toEqual(new Set([404]))
    expect(await openLink(folder, 2, '/code', 'POST')).toEqual(new Set([405]))
    const families = await scrapeUntil(folder, isLevel)
    expect(answers(families)).toEqual({
      ...NO_ANSWERS,
      '302': 41,
      '404': 3,
      '405': 2,
    })
    expect(valueOf(families, 'tern_clicks_journaled_total')).toBe(37)
    expect(valueOf(families, 'tern_clicks_counted_total')).toBe(37)
    // A POST is looked up too: the link might have a password.
    expect(valueOf(families, 'tern_link_cache_lookups_total', { result: 'hit' })).toBe(44)
    expect(valueOf(families, 'tern_link_cache_lookups_total', { result: 'miss' })).toBe(2)
    expect(valueOf(families, 'tern_link_cache_entries')).toBe(2)
    for (const name of ['dead_letters', 'clicks_missing', 'journal_damaged_bytes'])
      expect(valueOf(families, `tern_${name}_total`)).toBe(0)
    for (const thread of ['api', 'background']) {
      expect(valueOf(families, 'tern_store_write_seconds_count', { thread })).toBeGreaterThan(0)
      expect(valueOf(families, 'tern_store_write_failures_total', { thread })).toBe(0)
      expect(valueOf(families, 'tern_logged_errors_total', { thread })).toBe(0)
    }
    expect(valueOf(families, 'tern_journal_degraded')).toBe(0)
  })

  test('for refusals: too many unknown codes, requests per key, requests per IP address', async () => {
    const folder = await operateFolder(folders.make())
    await start(folder)
    await openLink(folder, MISSES_MAX + 20, '/nobody')
    await openLink(folder, PUBLIC_MAX + 7, '/api/health')
    const families = await scrape(folder)
    expect(answers(families)).toMatchObject({ '302': 0, '404': MISSES_MAX, '429': 20 })
    expect(valueOf(families, 'tern_rate_limit_refusals_total', { limit: 'network' })).toBe(7)
    expect(valueOf(families, 'tern_rate_limit_refusals_total', { limit: 'key' })).toBe(0)
    expect(valueOf(families, 'tern_api_responses_total', { status: '2xx' })).toBe(PUBLIC_MAX)
    expect(valueOf(families, 'tern_api_responses_total', { status: '4xx' })).toBe(7)
    expect(valueOf(families, 'tern_api_responses_total', { status: '5xx' })).toBe(0)
  })

  test('for a key over its limit', async () => {
    const rig = await startServiceRig()
    const { key } = await rig.makeCaller({ rateLimit: 3 })
    for (let i = 0; i < 5; i++) await rig.call('GET', '/api/account', { key })
    const families = parsePrometheusText((await rig.call('GET', '/metrics')).text)
    expect(valueOf(families, 'tern_rate_limit_refusals_total', { limit: 'key' })).toBe(2)
    expect(valueOf(families, 'tern_rate_limit_refusals_total', { limit: 'network' })).toBe(0)
    await rig.stop()
  })

  test('for emails, blocked links, and too many dashboard requests', async () => {
    const rig = await startDashboardRig()
    const { browser, email } = await rig.user()
    const link = { original_url: 'https://evil.example/', custom_code: 'code' }
    await browser.succeed('POST', '/links', link)
    await browser.succeed('POST', '/admin/blocked-hosts', { host: 'evil.example' })
    for (let i = 0; i < 4; i++) await rig.call('GET', '/code')
    await browser.succeed('POST', '/forgot-password', { email })
    await rig.mailTo(email)
    rig.mailServer.refusals.push(550)
    await browser.succeed('POST', '/forgot-password', { email })
    const read = async () => parsePrometheusText((await rig.call('GET', '/metrics')).text)
    const mails = (found: Map<string, Family>, result: string) =>
      valueOf(found, 'tern_mails_total', { result })
    const families = await eventually(read, (found) => mails(found, 'sent')! + mails(found, 'failed')! === 2)
    for (const [result, count] of Object.entries({ sent: 1, failed: 1, dropped: 0 }))
      expect([result, mails(families, result)]).toEqual([result, count])
    expect(valueOf(families, 'tern_mails_waiting')).toBe(0)
    expect(answers(families)).toMatchObject({ '302': 0, '410': 4 })
    const asked = Array.from({ length: 4 }, () => browser.request('POST', '/forgot-password', { email }))
    expect((await Promise.all(asked)).filter(({ status }) => status === 429)).toHaveLength(3)
    expect(valueOf(await read(), 'tern_rate_limit_refusals_total', { limit: 'network' })).toBe(3)
    await rig.stop()
  })

  test('for open connections', async () => {
    const folder = await operateFolder(folders.make())
    await start(folder)
    const clients = Array.from({ length: 5 }, () => new KeepAliveClient(folder.port))
    for (const client of clients) await client.request({ method: 'GET', path: '/nobody' })
    // And the one that asks.
    const connection = new RawConnection(`http://127.0.0.1:${folder.port}`)
    const open = async () => {
      const { body } = await connection.request(Buffer.from(rawRequest('GET', '/metrics')))
      return valueOf(parsePrometheusText(body), 'tern_open_connections')
    }
    expect(await open()).toBe(6)
    for (const client of clients) client.close()
    expect(await eventually(open, (count) => count === 1)).toBe(1)
    connection.close()
  })

  test('for the process and its folder', async () => {
    const folder = await operateFolder(folders.make())
    const server = await start(folder)
    await folder.makeLinks(['code'])
    await openLink(folder, 10)
    const startedBefore = Date.now() / 1000
    const families = await scrapeUntil(folder, (found) => valueOf(found, 'tern_disk_size_bytes') > 0)
    const rss =
      Number(/^VmRSS:\s+(\d+)/m.exec(await Bun.file(`/proc/${server.pid}/status`).text())![1]) * 1024
    expect(valueOf(families, 'process_resident_memory_bytes') / rss).toBeWithin(0.7, 1.4)
    const startedAt = valueOf(families, 'process_start_time_seconds')
    expect(startedAt).toBeWithin(startedBefore - 60, startedBefore)
    expect(valueOf(families, 'tern_clock_seconds')).toBeWithin(startedAt, Date.now() / 1000 + 1)
    expect(valueOf(families, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(families.get('tern_build_info')!.samples).toEqual([
      { name: 'tern_build_info', labels: { version: '0.1.0' }, value: 1 },
    ])
  })
})

test('after kill -9 every counter starts at 0, and leftover clicks are counted and shown', async () => {
  const folder = await operateFolder(folders.make())
  const first = await start(folder)
  await folder.makeLinks(['code'])
  await openLink(folder, 25)
  await first.kill()
  const journal = join(folder.settings.DATA_DIR, 'journal')
  const segments = readdirSync(journal).filter((name) => name.endsWith('.journal'))
  const bytes = segments.reduce((sum, name) => sum + statSync(join(journal, name)).size, 0)
  await start(folder)
  const families = await scrapeUntil(folder, (found) => valueOf(found, 'tern_ingestion_lag_clicks') === 0)
  expect(answers(families)).toEqual(NO_ANSWERS)
  expect(valueOf(families, 'tern_clicks_journaled_total')).toBe(0)
  expect(valueOf(families, 'tern_journal_segments')).toBe(segments.length)
  expect(valueOf(families, 'tern_journal_bytes')).toBe(bytes)
  expect(valueOf(families, 'tern_ingestion_lag_seconds')).toBeLessThan(5)
  expect((await folder.clickCounts(['code'])).get('code')).toBe(25)
  await openLink(folder, 2)
  const later = await scrapeUntil(folder, (found) => valueOf(found, 'tern_clicks_journaled_total') === 2)
  expect(answers(later)['302']).toBe(2)
})

test('no key, IP address, code or token is in the text, and traffic adds no line', async () => {
  const token = 'a-token-of-the-operator'
  const folder = await operateFolder(folders.make(), { METRICS_TOKEN: token })
  await start(folder)
  const before = await textOf(folder)
  await folder.makeLinks(['some-code-of-mine'])
  await openLink(folder, 3, '/some-code-of-mine')
  await openLink(folder, 3, '/some-unknown-code')
  for (const method of ['GET', 'BREW', 'DELETE'])
    await folder.api(method, '/api/links/some-code-of-mine?odd=1').catch(() => {})
  const text = await textOf(folder, [`Authorization: Bearer ${token}`])
  for (const secret of ['some-code', 'some-unknown', folder.key, '127.0.0', 'example', token, 'BREW'])
    expect(text).not.toContain(secret)
  const seriesOf = (each: string) => each.split('\n').map((line) => line.replace(/ \S+$/, ''))
  expect(seriesOf(text)).toEqual(seriesOf(before))
  expect(seriesOf(text)).toEqual(seriesOf(metricsText(openMetrics(newSharedMetrics()))))
})

test('visitors behind a proxy cannot read it, and neither can a code called metrics', async () => {
  const folder = await operateFolder(folders.make(), { TRUSTED_PROXIES: 'loopback' })
  await start(folder)
  const url = `http://127.0.0.1:${folder.port}`
  for (const ip of ['203.0.113.9', '127.0.0.1']) {
    const headers = [`X-Forwarded-For: ${ip}`]
    expect((await sendRaw(url, rawRequest('GET', '/metrics', { headers }))).status).toBe(404)
  }
  const { status } = await folder.api('POST', '/api/links', {
    original_url: 'https://example.com/',
    custom_code: 'metrics',
  })
  expect(status).toBe(422)
  expect((await sendRaw(url, rawRequest('HEAD', '/metrics'))).headers['content-type']).toStartWith(
    'text/plain',
  )
})

const MISSES_MAX = 300

async function start({ settings }: OperatedFolder): Promise<ServerProcess> {
  const server = await ServerProcess.start(settings)
  servers.push(server)
  return server
}

async function textOf({ port }: OperatedFolder, headers: string[] = []): Promise<string> {
  const answer = await sendRaw(`http://127.0.0.1:${port}`, rawRequest('GET', '/metrics', { headers }))
  expect(answer.status).toBe(200)
  return answer.body
}

const scrape = async (folder: OperatedFolder) => parsePrometheusText(await textOf(folder))

const scrapeUntil = (folder: OperatedFolder, isThere: (families: Map<string, Family>) => boolean) =>
  eventually(() => scrape(folder), isThere)

async function openLink({ port }: OperatedFolder, times: number, path = '/code', method = 'GET') {
  const connection = new RawConnection(`http://127.0.0.1:${port}`)
  const statuses = new Set<number>()
  for (let i = 0; i < times; i++)
    statuses.add((await connection.request(Buffer.from(rawRequest(method, path)))).status)
  connection.close()
  return statuses
}

const answers = (families: Map<string, Family>) =>
  Object.fromEntries(
    families
      .get('tern_short_url_responses_total')!
      .samples.map(({ labels, value }) => [labels.status, value]),
  )

const isLevel = (families: Map<string, Family>) =>
  valueOf(families, 'tern_ingestion_lag_clicks') === 0 && valueOf(families, 'tern_clicks_counted_total') > 0
