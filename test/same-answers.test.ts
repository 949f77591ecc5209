import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from './rigs/eventually.ts'
import { startServiceRig, type ServiceRig, type TestCaller } from './rigs/service/service-rig.ts'
import { REQUESTS, REQUESTS_WHEN_COUNTED, type RigRequest } from './same-answers.data.ts'
import { lacksPostgres, PostgresServer } from './rigs/store/postgres-server.ts'

let postgres: PostgresServer
let rigs: ServiceRig[]
let callers: TestCaller[]

describe.skipIf(lacksPostgres('that both engines give the same answers'))('SQLite and PostgreSQL', () => {
  beforeAll(startBoth)
  afterAll(stopBoth)

  test('give the same responses, byte for byte, except for IDs, times and assigned codes', async () => {
    for (const request of REQUESTS) await expectSame(request)
    for (const [i, rig] of rigs.entries()) {
      const clicks = async () =>
        (await rig.call('GET', '/api/links/one', { key: callers[i]!.key })).body.data.click_count
      expect(await eventually(clicks, (count) => count === 2)).toBe(2)
    }
    // Waiting has taken one of them more requests than the other.
    for (const request of REQUESTS_WHEN_COUNTED) await expectSame(request)
  })

  async function startBoth(): Promise<void> {
    postgres = await PostgresServer.start()
    rigs = [await startServiceRig(), await startServiceRig({ DATABASE_URL: await postgres.makeDatabase() })]
    callers = await Promise.all(rigs.map((rig) => rig.makeCaller({ rateLimit: 1_000 })))
  }

  async function stopBoth(): Promise<void> {
    for (const rig of rigs) await rig.stop()
    await postgres.remove()
  }
})

async function expectSame(request: RigRequest): Promise<void> {
  const [one, other] = await Promise.all(rigs.map((_, i) => answerOf(i, request)))
  expect({ request, ...other }).toEqual({ request, ...one })
}

async function answerOf(i: number, { method, path, body, headers = {} }: RigRequest) {
  const { key, email } = callers[i]!
  const visitor = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const answer = await rigs[i]!.call(method, path, { key, body, headers: { ...visitor, ...headers } })
  const kept = [...answer.headers].filter(([name]) => !VARYING.includes(name)).sort()
  return {
    status: answer.status,
    headers: normal(JSON.stringify(kept), email),
    text: normal(answer.text, email),
  }
}

/** What tells the moment, or how often was asked. */
const VARYING = [
  'date',
  'x-request-id',
  'ratelimit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'etag',
  'content-length',
]

/** Without what differs by chance. */
function normal(text: string, email: string): string {
  return (
    text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/localhost:\d+/g, 'HOST')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'TIME')
      // Assigned as well: the last characters of the key.
      .replaceAll(/"key_hint":"tern_…\w{4}"/g, '"key_hint":"HINT"')
      .replaceAll(/svc_[0-9a-f-]{36}/g, 'SVC')
      .replaceAll(/"id":\d+/g, '"id":0')
      .replaceAll(/"name":"Caller \d+"/g, '"name":"CALLER"')
      .replaceAll(
        /("(?:short_code|short_url|qr_code_url)":"(?:https?:\/\/HOST\/(?:qr\/)?)?)[A-Za-z0-9]{7}(?=["/?])/g,
        '$1CODE',
      )
      .replaceAll(
        /"(requests|current_usage|remaining|percentage|today|used|weekly_usage|monthly_usage|requests_made|requests_remaining)":[\d.]+/g,
        '"$1":0',
      )
  )
}
