import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type ApiCall, callApi } from '../../../test/rigs/http/api-channel-client.ts'
import { eventually } from '../../../test/rigs/eventually.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { parsePrometheusText } from '../../../test/rigs/http/prometheus-text.ts'
import { readConfig } from '../../config/config.ts'
import { NO_REDIRECT_STATE } from '../../links/routes/redirect-state.ts'
import { jsonLog } from '../../runtime/log.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { newSharedWriteLock } from '../../store/sqlite/write-lock.ts'
import { ApiChannel } from '../api-server/api-channel.ts'

const TOKEN = 'a-token-of-the-operator'
const folders = temporaryFolders()
let line: ApiChannel
let shared: SharedArrayBuffer

beforeEach(async () => {
  await open({ METRICS_TOKEN: TOKEN })
})

afterEach(stopAll)

describe('the metrics', () => {
  test('are shown to this machine, in Prometheus’ format, and kept by nobody', async () => {
    for (const peer of ['127.0.0.1', '127.8.9.10', '::1']) {
      const answer = await ask({ peer })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(parsePrometheusText(await answer.text()).size).toBeGreaterThan(20)
    }
  })

  test('are shown with the token, from anywhere', async () => {
    for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`])
      expect((await ask({ peer: STRANGER, headers: { authorization } })).status).toBe(200)
  })

  test.each([
    ['none', undefined],
    ['another one', `Bearer ${TOKEN}x`],
    ['a part of it', `Bearer ${TOKEN.slice(0, -1)}`],
    ['one in other letters', `Bearer ${TOKEN.toUpperCase()}`],
    ['an empty one', 'Bearer '],
    ['one of another kind', `Basic ${TOKEN}`],
    ['one of no kind', TOKEN],
  ])('are not there for others: with %s', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    await expectNotThere({ peer: STRANGER, headers })
    await expectNotThere({ peer: STRANGER, headers, method: 'POST' })
    await expectNotThere({ peer: STRANGER, headers: { ...headers, accept: 'text/html' } })
  })

  test('are not there for others by the query, nor because they say that they are this machine', async () => {
    await expectNotThere({ peer: STRANGER, target: `/metrics?token=${TOKEN}&api_key=${TOKEN}` })
    await expectNotThere({
      peer: STRANGER,
      headers: { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    })
  })

  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto'])(
    'are not there for requests through a proxy on this machine that sends %s',
    async (header) => {
      await expectNotThere({ headers: { [header]: '127.0.0.1' } })
      const headers = { [header]: STRANGER, authorization: `Bearer ${TOKEN}` }
      expect((await ask({ headers })).status).toBe(200)
    },
  )

  test('are there for this machine only while there is no token', async () => {
    await line.stop()
    await open({})
    expect((await ask({})).status).toBe(200)
    for (const authorization of ['Bearer ', 'Bearer undefined', `Bearer ${TOKEN}`])
      await expectNotThere({ peer: STRANGER, headers: { authorization } })
  })

  test('are read by GET and HEAD and by nothing else', async () => {
    const head = await ask({ method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await ask({ method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  test('have the numbers of every thread, and the lag between journal and counters', async () => {
    const metrics = openMetrics(shared)
    metrics.shortUrlResponses[302].add(5)
    metrics.clicksJournaled.add(5)
    // Two of this run are counted, ten of an earlier one wait.
    metrics.clicksSettled.set(2 - 10)
    metrics.countedUntil.set(Date.now() * 1000 - 60_000_000)
    line.sendState('degraded')
    const readText = async () => (await ask({})).text()
    const text = await eventually(readText, (now) => now.includes('\ntern_journal_degraded 1\n'))
    for (const sample of [
      'tern_short_url_responses_total{status="302"} 5',
      'tern_ingestion_lag_clicks 13',
      'tern_journal_degraded 1',
    ])
      expect(text.split('\n')).toContain(sample)
    const lagSeconds = Number(/^tern_ingestion_lag_seconds (.*)$/m.exec(text)![1])
    expect(lagSeconds).toBeGreaterThanOrEqual(60)
    expect(lagSeconds).toBeLessThan(120)
  })
})

async function stopAll(): Promise<void> {
  await line.stop()
  folders.remove()
}

const STRANGER = '203.0.113.9'

async function open(settings: Record<string, string>): Promise<void> {
  shared = newSharedMetrics()
  const config = readConfig({ DATA_DIR: folders.make(), LOG_LEVEL: 'silent', ...settings })
  line = new ApiChannel(
    {
      config,
      writeLock: newSharedWriteLock(),
      metrics: shared,
      leftFolders: [],
      reachableIps: [],
      state: NO_REDIRECT_STATE,
    },
    { onLinksChanged() {}, onState() {} },
    jsonLog('silent', 'redirect'),
  )
  line.answerVisits(async () => undefined)
  await line.ready
}

const ask = (asked: Partial<ApiCall>) => callApi(line, { target: '/metrics', ...asked })

/** All of an answer but what is another each time. */
async function whole(answer: Response) {
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers: { ...headers, 'x-request-id': '' }, body: await answer.text() }
}

/** The very answer of an address where there is nothing. */
async function expectNotThere(asked: Partial<ApiCall>): Promise<void> {
  const answer = await whole(await ask(asked))
  expect(answer).toEqual(await whole(await ask({ ...asked, target: '/nothing.at.all/here' })))
  expect([answer.status, answer.body.includes('tern_')]).toEqual([404, false])
}
