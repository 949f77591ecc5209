import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'
import { refusal } from '../specification/contract-rig.ts'

// T5, T11, T18, T22, T25: what one visitor can cost, and how far they can distort the counts. No proxy is trusted here.

const PUBLIC_MAX = 1_000

const rig = useOwnServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  for (const custom_code of ['hello', 'counted', 'odd-agents']) {
    const body = { original_url: 'https://example.com/a', custom_code }
    await rig.call('POST', '/api/links', { key: caller.key, body })
  }
})

describe('guessing codes', () => {
  test('is limited per IP address, whatever headers it sends, and existing codes still redirect', async () => {
    const ip = '127.0.0.21'
    const guesses = await inTurns(MISSES_MAX + 20, (i) =>
      from(ip, `/guess-${i}`, [`X-Forwarded-For: 203.0.113.${i % 250}`, `X-Real-IP: 198.51.100.${i % 250}`]),
    )
    const statuses = Object.groupBy(guesses, ({ status }) => status)
    expect([statuses[404]?.length, statuses[429]?.length]).toEqual([MISSES_MAX, 20])
    const refused = statuses[429]![0]!
    expect(Number(refused.headers['retry-after'])).toBeWithin(1, 61)
    expect(refused.headers['cache-control']).toBe('private, no-store')
    expect(JSON.parse(refused.body)).toEqual({
      success: false,
      code: expect.any(String),
      message: expect.any(String),
      errors: {},
    })
    const page = await from(ip, '/guess-again', ['Accept: text/html'])
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect((await from(ip, '/hello')).status).toBe(302)
    expect((await from('127.0.0.22', '/guess-1')).status).toBe(404)
  })

  test('through the public endpoints has one limit for all of them', async () => {
    const paths = ['/api/info/guess', '/api/health', '/qr/guess', '/api/stats/public', '/api/info/hello']
    const ask = (i: number) => from('127.0.0.23', paths[i % paths.length]!)
    const answers = await inTurns(PUBLIC_MAX + 50, ask)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(50)
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeWithin(1, 61)
      expect(JSON.parse(body)).toEqual(refusal('too_many_requests', 'Too many requests from your network.'))
    }
    expect((await from('127.0.0.23', '/hello')).status).toBe(302)
    const keyed = await from('127.0.0.23', '/api/account', [`X-API-Key: ${caller.key}`])
    expect(keyed.status).toBe(200)
  })
})

describe('clicks', () => {
  test('of one visitor are all counted, as one visitor, whatever proxy headers they send', async () => {
    const opened = await inTurns(1_000, (i) =>
      rig.call('GET', '/counted', {
        headers: {
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
          'X-Forwarded-For': `203.0.113.${i % 250}`,
        },
      }),
    )
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([302]))
    const data = await eventually(
      () => analytics('counted'),
      ({ total_clicks }) => total_clicks === 1_000,
    )
    expect([data.total_clicks, data.unique_visitors, data.bot_clicks]).toEqual([1_000, 1, 0])
    const link = (await rig.call('GET', '/api/links/counted', { key: caller.key })).body.data
    expect(link.click_count).toBe(1_000)
  })

  test('with odd User-Agents are counted like others, however long they are', async () => {
    const agents = [
      'Mozilla/'.repeat(1_500),
      '('.repeat(12_000),
      `${'a'.repeat(12_000)}!`,
      '(((((a+)+)+)+)+)$'.repeat(500),
      'iPhone; '.repeat(1_500),
      '\xff\xfe\xe9',
      '',
      '<script>alert(1)</script>',
      '=HYPERLINK("x")',
      '__proto__',
      'constructor',
    ]
    const referrers = [
      `https://${'a.'.repeat(6_000)}com/`,
      `https://${'a'.repeat(12_000)}`,
      'https://' + '@'.repeat(12_000),
      'javascript:alert(1)',
      '__proto__',
      '\xff\xfe',
      'https://[::1',
      `https://example.com/${'%'.repeat(2_000)}`,
    ]
    const headers = [
      ...agents.map((value) => `User-Agent: ${value}`),
      ...referrers.map((value) => `Referer: ${value}`),
    ]
    for (const header of headers) {
      const { status, hasHung } = await from('127.0.0.24', '/odd-agents', [header])
      expect([status, hasHung]).toEqual([302, false])
    }
    const all = ({ total_clicks, bot_clicks }: { total_clicks: number; bot_clicks: number }) =>
      total_clicks + bot_clicks
    const data = await eventually(
      () => analytics('odd-agents'),
      (found) => all(found) === headers.length,
    )
    expect(all(data)).toBe(headers.length)
    expect(JSON.stringify(data)).not.toContain('<script>')
    for (const { referrer } of data.referrers) expect(referrer ?? '').toMatch(/^[a-z0-9._[\]:-]{0,255}$/i)
  })

  test('are refused with a User-Agent of 100 KB', async () => {
    const { status } = await from('127.0.0.24', '/odd-agents', [`User-Agent: ${'Mozilla/'.repeat(12_500)}`])
    expect(status).toBe(431)
  })
})

describe('QR codes', () => {
  test('contain only our own URL, whatever the query says', async () => {
    const plain = await rig.call('GET', '/qr/hello')
    const hostile = await rig.call('GET', '/qr/hello?text=https://evil.test&url=x&data=x&__proto__=x')
    expect(hostile.text).toBe(plain.text)
    expect(plain.text).not.toMatch(/script|href|on\w+=|<!|foreignObject/i)
  })

  test('of the largest size, sixty at once, are drawn while visitors are still redirected', async () => {
    const drawn = Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        documentedFetch(
          `${rig.url}/qr/hello?format=png&size=2048&margin=0&level=H&color=${100_000 + i}`,
        ).then(async (answer) => [answer.status, (await answer.arrayBuffer()).byteLength] as const),
      ),
    )
    const redirects = await inTurns(200, () => rig.call('GET', '/hello'))
    expect(new Set(redirects.map(({ status }) => status))).toEqual(new Set([302]))
    for (const [status, bytes] of await drawn) {
      expect(status).toBe(200)
      expect(bytes).toBeWithin(500, 200_000)
    }
  })
})

const MISSES_MAX = 300

const analytics = async (code: string) =>
  (await rig.call('GET', `/api/analytics/links/${code}`, { key: caller.key })).body.data

/** Many at a time, but not all. */
async function inTurns<Value>(count: number, ask: (i: number) => Promise<Value>): Promise<Value[]> {
  const answers: Value[] = []
  for (let i = 0; i < count; i += 50) {
    const turn = Array.from({ length: Math.min(50, count - i) }, (_, j) => ask(i + j))
    answers.push(...(await Promise.all(turn)))
  }
  return answers
}

/** From another address of the loopback, a header per request as asked. */
const from = (ip: string, path: string, headers: string[] = []) =>
  sendRaw(rig.url, rawRequest('GET', path, { headers: [...headers, 'Connection: close'] }), { from: ip })
