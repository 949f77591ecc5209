import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import openApi from '../../docs/openapi.json'
import { eventually } from '../rigs/eventually.ts'
import { contentOf, type RawAnswer } from '../rigs/http/raw-http.ts'
import { startSlowClients } from '../rigs/http/slow-clients.ts'
import { type ServiceRig, startServiceRig, type TestCaller } from '../rigs/service/service-rig.ts'
import { hostileRequest, type HostileRequest } from './hostile-requests.ts'
import { problemOf, undocumentedPart } from './check-response.ts'
import { operationsOf } from './operations.ts'
import { sendRequests } from './send-requests.ts'

// Thousands of requests that nobody should send. HOSTILE_REQUESTS says how many, HOSTILE_SEED which series, and
// HOSTILE_ONLY one of it. Each must get a documented response, and the counts must be right afterwards.
// Slow clients (T21) stay connected all the time, and delay nobody.

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 4_000)
const ONLY = process.env.HOSTILE_ONLY
const indices = ONLY === undefined ? [...Array(REQUESTS).keys()] : [Number(ONLY)]

let rig: ServiceRig
let caller: TestCaller
let slowClients: ReturnType<typeof startSlowClients>
let requests: HostileRequest[]
let refused: HostileRequest[] = []

beforeAll(startWithClients)

afterAll(() => rig.stop())

test('every hostile request gets a harmless response', async () => {
  console.log(`hostile requests: HOSTILE_SEED=${SEED} HOSTILE_REQUESTS=${indices.length}`)
  const indexOf = new Map(requests.map((request, i) => [request, indices[i]!]))
  const statuses = new Set<number>()
  const faults: string[] = []
  await sendRequests(rig.url, requests, (sent, answer) => {
    statuses.add(answer.status)
    const asked = { ...sent, key: caller.key }
    const fault = problemOf(asked, answer) ?? (sent.isBroken ? undefined : undocumentedPart(asked, answer))
    if (fault !== undefined) faults.push(report(indexOf.get(sent)!, { sent, answer, fault }))
    count(sent, answer)
    if (isRefused(answer)) refused.push(sent)
  })
  expect(faults.slice(0, 5).join('\n')).toBe('')
  if (ONLY !== undefined) return
  for (const status of [200, 201, 302, 400, 401, 404, 405, 413, 415, 422, 431])
    expect([...statuses]).toContain(status)
}, 600_000)

const REDIRECTS = [301, 302, 307, 308]

type FaultyAnswer = { sent: HostileRequest; answer: RawAnswer; fault: string }

function report(index: number, { sent, answer, fault }: FaultyAnswer): string {
  const repeat = `HOSTILE_SEED=${SEED} HOSTILE_ONLY=${index} npm run test:hostile`
  const shown = (text: string) => JSON.stringify(text.slice(0, 600))
  return `${fault}\n  ${repeat}\n  ${sent.what}\n  ${shown(sent.bytes.toString('latin1'))}\n  ${shown(answer.text)}\n`
}

function count({ method }: HostileRequest, answer: RawAnswer): void {
  const { status, headers } = answer
  const body = contentOf(answer)
  if (REDIRECTS.includes(status) && method === 'GET') tally.opened++
  if (headers['idempotent-replayed'] !== undefined || method === 'GET') return
  // Tags and folders are created, too; and with `reuse_existing` some of the links were there.
  const [, count = '1', done] =
    /^\{"success":true,"message":"(?:Link|(\d+)(?: of \d+)? links?) (created|deleted|restored)[.,]/.exec(
      body,
    ) ?? []
  if (done === 'created') tally.created += Number(count)
  if (done === 'deleted') tally.deleted += Number(count)
  if (done === 'restored') tally.deleted -= Number(count)
}

test('and the service is healthy afterwards, with correct counts', async () => {
  expect((await rig.call('GET', '/api/health')).body.status).toBe('ok')
  expect((await rig.call('GET', '/api/account', { key: caller.key })).status).toBe(200)
  const links = tally.created - tally.deleted
  const read = async () =>
    (await rig.call('GET', '/api/analytics/overview', { key: caller.key })).body.data.overview
  const clicks = async () => {
    const rows = await rig.store.db.selectFrom('workspace_totals').select(['clicks', 'bots']).execute()
    return rows.reduce((sum, row) => sum + row.clicks + row.bots, 0)
  }
  expect(await eventually(clicks, (sum) => sum === tally.opened)).toBe(tally.opened)
  const rows = await rig.store.db.selectFrom('links').select('is_active').execute()
  expect(rows).toHaveLength(links)
  expect(await read()).toMatchObject({
    total_links: links,
    active_links: rows.filter((row) => row.is_active === 1).length,
  })
  expect((await rig.call('GET', '/api/links?archived=include', { key: caller.key })).body.meta.total).toBe(
    links,
  )
})

/** Not by silence: there the server waits for what is missing, and rounds would take very long. */
const isRefused = ({ status }: RawAnswer) => status >= 400

/** Sends what was refused; what is taken now, because of what was done in between, is refused no more. */
async function sendRefused(): Promise<void> {
  const again: HostileRequest[] = []
  await sendRequests(rig.url, refused, (sent, answer) => {
    if (isRefused(answer)) again.push(sent)
  })
  refused = again
}

test.skipIf(ONLY !== undefined)(
  'refused requests change nothing in the store',
  async () => {
    const stride = Math.ceil(refused.length / ROUND_REQUESTS_MAX)
    refused = refused.filter((_, i) => i % stride === 0)
    for (let left = -1; left !== refused.length;) {
      left = refused.length
      await sendRefused()
    }
    const before = contents()
    for (let round = 0; round < ROUNDS; round++) await sendRefused()
    expect(contents()).toEqual(before)
  },
  600_000,
)

/** Every row, by table. */
function contents(): Record<string, unknown[]> {
  const database = new Database(join(rig.config.dataDir, 'tern.db'), { readonly: true })
  const rows = TABLES.map((table) => [table, database.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all()])
  database.close()
  return Object.fromEntries(rows)
}

test('and the slow clients were disconnected', async () => {
  for (const [name, answer] of slowClients) {
    const { isClosed, hasHung } = await answer
    expect({ name, isClosed, hasHung }).toEqual({ name, isClosed: true, hasHung: false })
  }
  expect((await rig.call('GET', '/api/health')).status).toBe(200)
})

const operations = operationsOf(openApi)

async function startWithClients(): Promise<void> {
  rig = await startServiceRig()
  caller = await rig.makeCaller()
  // Before anybody connects: the server shares this thread, and would not notice how slow a client is.
  const settings = { seed: SEED, key: caller.key, codes: CODES }
  requests = indices.map((index) => hostileRequest(operations, { ...settings, index }))
  const links = CODES.map((custom_code) => ({ original_url: 'https://example.com/', custom_code }))
  await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
  tally.created = CODES.length
  slowClients = startSlowClients(rig.url, caller.key)
}

const SEED = Number(process.env.HOSTILE_SEED ?? 1)
const CODES = ['hello', ...Array.from({ length: 30 }, (_, i) => `victim-${i}`)]

/** What is refused is sent this many times more, or this share of it. */
const ROUNDS = 2

const ROUND_REQUESTS_MAX = 1_000
const tally = { created: 0, deleted: 0, opened: 0 }

/** All that requests may change but how often, and when, a key was used. */
const TABLES = [
  'users',
  'workspaces',
  'members',
  'codes',
  'idempotency_keys',
  'links',
  'link_texts',
  'link_totals',
  'clicks',
  'deleted_links',
  'labels',
  'link_labels',
  'link_versions',
  'workspace_settings',
]
