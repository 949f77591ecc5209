import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  hostileRequest,
  type HostileRequest,
  type Operation,
  operationsOf,
} from '../rigs/hostile-requests.ts'
import { type RawAnswer, RawConnection, sendRaw } from '../rigs/raw-http.ts'
import { startSlowClients } from '../rigs/slow-clients.ts'
import { eventually, type ServiceRig, startServiceRig, type TestCaller } from '../rigs/service-rig.ts'

// Thousands of requests that nobody should send. HOSTILE_REQUESTS says how many, HOSTILE_SEED which series, and
// HOSTILE_ONLY one of it. Whatever comes: an answer, in a form that is documented, and figures that are right after it.
// Slow clients (T21) hang on meanwhile, and hold nobody up.

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 3_000)
const SEED = Number(process.env.HOSTILE_SEED ?? 1)
const ONLY = process.env.HOSTILE_ONLY
/** Each has an address of its own, so that the limits for strangers are not all that is seen. */
const CLIENTS = 16
const CODES = ['hello', ...Array.from({ length: 30 }, (_, i) => `victim-${i}`)]

let rig: ServiceRig
let caller: TestCaller
let operations: Operation[]
let slowClients: ReturnType<typeof startSlowClients>
const tally = { created: 0, deleted: 0, opened: 0 }

beforeAll(async () => {
  rig = await startServiceRig()
  caller = await rig.makeCaller()
  operations = operationsOf((await rig.call('GET', '/api/openapi.json')).body)
  const links = CODES.map((custom_code) => ({ original_url: 'https://example.com/', custom_code }))
  await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
  tally.created = CODES.length
  slowClients = startSlowClients(rig.url, caller.key)
})

afterAll(() => rig.stop())

const request = (index: number) =>
  hostileRequest(operations, { seed: SEED, index, key: caller.key, codes: CODES })

test('every hostile request has a harmless answer', async () => {
  const indices = ONLY === undefined ? Array.from({ length: REQUESTS }, (_, i) => i) : [Number(ONLY)]
  console.log(`hostile requests: HOSTILE_SEED=${SEED} HOSTILE_REQUESTS=${indices.length}`)
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const sendAll = async (_: unknown, client: number) => {
    const from = `127.0.1.${client + 1}`
    const connection = new RawConnection(rig.url, from)
    for (let index = indices.pop(); index !== undefined; index = indices.pop()) {
      const sent = request(index)
      const answer = sent.isBroken
        ? await sendRaw(rig.url, sent.bytes, { from, isAll: true })
        : await connection.ask(sent.bytes)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const fault = faultOf(sent, answer)
      if (fault !== undefined) faults.push(report(index, { sent, answer, fault }))
      count(sent, answer)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CLIENTS }, sendAll))
  expect(faults.slice(0, 5).join('\n')).toBe('')
  if (ONLY !== undefined) return
  for (const status of [200, 201, 302, 400, 401, 404, 405, 415, 422])
    expect([...statuses.keys()]).toContain(status)
}, 120_000)

function report(
  index: number,
  { sent, answer, fault }: { sent: HostileRequest; answer: RawAnswer; fault: string },
) {
  const repeat = `HOSTILE_SEED=${SEED} HOSTILE_ONLY=${index} bun test test/security/hostile-requests.test.ts`
  const shown = (text: string) => JSON.stringify(text.slice(0, 600))
  return `${fault}\n  ${repeat}\n  ${sent.what}\n  ${shown(sent.bytes.toString('latin1'))}\n  ${shown(answer.text)}\n`
}

/** What is wrong with the answer; undefined when nothing is. */
function faultOf({ method, isBroken }: HostileRequest, answer: RawAnswer): string | undefined {
  const { status, body, headers, answers, hasHung } = answer
  if (hasHung) return 'no answer'
  if (body.includes(caller.key)) return 'the key came back'
  if (isBroken && body === '' && [0, 400, 413, 431, 501, 505].includes(status)) return undefined
  if (status < 200 || status >= 500) return `status ${status}`
  if (answers !== 1 && !isBroken) return `${answers} answers`
  if (headers['x-content-type-options'] !== 'nosniff' || !headers['content-security-policy'])
    return 'headers are missing'
  if (method === 'HEAD') return body === '' ? undefined : 'HEAD has a body'
  if (status === 302) return headers.location === undefined || body !== '' ? 'a bad redirect' : undefined
  return faultOfBody(status, headers['content-type'] ?? '', body)
}

function faultOfBody(status: number, type: string, body: string): string | undefined {
  if (!type.startsWith('application/json')) {
    if (status >= 400 && !type.startsWith('text/html')) return `a refusal of the type ${type}`
    return /^(text\/(html|css|plain)|image\/(svg\+xml|png|x-icon))\b/.test(type)
      ? undefined
      : `the type ${type}`
  }
  const json = JSON.parse(Buffer.from(body, 'latin1').toString())
  const keys = Object.keys(json).join()
  if (status >= 400) return faultOfRefusal(status, keys, json)
  const isBare = [
    'total_links,total_clicks,active_users',
    'status,timestamp,version',
    'gpc,lastUpdate',
  ].includes(keys)
  if (isBare || json.openapi === '3.1.0') return undefined
  return json.success === true && typeof json.message === 'string' ? undefined : `not the envelope: ${keys}`
}

function faultOfRefusal(status: number, keys: string, { success, message, errors }: any): string | undefined {
  if (keys !== 'success,message,errors' || success !== false || typeof message !== 'string')
    return `not the envelope: ${keys}`
  const lists = Object.values<unknown>(errors)
  if ((status === 422) !== lists.length > 0) return `${lists.length} fields at fault`
  const areTexts = lists.every(
    (list) => Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string'),
  )
  return areTexts ? undefined : 'errors that are no lists of texts'
}

function count({ method, bytes }: HostileRequest, { status, headers, body }: RawAnswer): void {
  if (status === 302 && method === 'GET') tally.opened++
  if (status === 201 && headers['idempotent-replayed'] === undefined)
    tally.created += JSON.parse(body).count ?? 1
  if (status === 200 && body.includes('"Link deleted."') && bytes.toString('latin1', 0, 7) === 'DELETE ')
    tally.deleted++
}

test('and the service is well after them, with every figure right', async () => {
  expect((await rig.call('GET', '/api/health')).body.status).toBe('ok')
  expect((await rig.call('GET', '/api/account', { key: caller.key })).status).toBe(200)
  const links = tally.created - tally.deleted
  const read = async () =>
    (await rig.call('GET', '/api/analytics/overview', { key: caller.key })).body.data.overview
  const clicks = async () => {
    const rows = await rig.store.db.selectFrom('account_totals').select(['clicks', 'bots']).execute()
    return rows.reduce((sum, row) => sum + row.clicks + row.bots, 0)
  }
  expect(await eventually(clicks, (sum) => sum === tally.opened)).toBe(tally.opened)
  const rows = await rig.store.db.selectFrom('links').select('is_active').execute()
  expect(rows).toHaveLength(links)
  expect(await read()).toMatchObject({
    total_links: links,
    active_links: rows.filter((row) => row.is_active === 1).length,
  })
  expect((await rig.call('GET', '/api/links', { key: caller.key })).body.meta.total).toBe(links)
})

test('and the slow clients have been cut off', async () => {
  for (const [name, answer] of slowClients) {
    const { isClosed, hasHung } = await answer
    expect({ name, isClosed, hasHung }).toEqual({ name, isClosed: true, hasHung: false })
  }
  expect((await rig.call('GET', '/api/health')).status).toBe(200)
}, 60_000)
