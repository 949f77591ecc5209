import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { seededRandom } from '../rigs/program/click-load.ts'
import { eventually } from '../rigs/eventually.ts'
import type { OperatedFolder } from '../rigs/program/operated-folder.ts'
import { parsePrometheusText, valueOf } from '../rigs/http/prometheus-text.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { Tern } from '../robustness/driver/tern.ts'
import { skipBecause } from '../skips.ts'

// Requests that are sent before the first of them is answered, at the whole program.

const CODES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const CONNECTIONS = 8
const REQUESTS_MAX = 40
const PIPELINES = 200
const WRK = Bun.which('wrk')
const SEED = Number(process.env.PIPELINING_SEED ?? 1)

test.skipIf(WRK === null && skipBecause('pipelining by wrk', 'apt-get install wrk'))(
  'wrk with ten requests in one packet gets all responses, and each redirect is counted once',
  async () => {
    await using tern = await start()
    const folder = tern.operator
    const script = join(tern.dataDir, 'pipeline.lua')
    const formats = CODES.map((code) => `wrk.format("GET","/${code}")`).join('..')
    writeFileSync(
      script,
      `local all\ninit=function() all=${formats} end\nrequest=function() return all end\n`,
    )
    const load = ['-t1', `-c${CONNECTIONS}`, '-d2', '-s', script, `http://127.0.0.1:${folder.port}`]
    const wrk = Bun.spawn([WRK!, ...load], { stdout: 'pipe' })
    const said = await wrk.stdout.text()
    expect(said).not.toMatch(/Socket errors|Non-2xx/)
    const answered = Number(/(\d+) requests in/.exec(said)![1])
    const clicks = await clicksOf(folder, await redirectsSent(folder))
    // Requests that the service received before it noticed that wrk had left are still answered then.
    const sent = await eventually(
      () => redirectsSent(folder),
      (count) => count >= clicks - CONNECTIONS,
    )
    console.log(`wrk: ${answered} answers, ${sent} redirects sent, ${clicks} clicks`)
    expect(answered).toBeGreaterThan(CODES.length * CONNECTIONS)
    // wrk leaves at its end, in the middle of what it has asked for; each connection may lose the answer to one click.
    expect(sent).toBeGreaterThanOrEqual(answered)
    expect(clicks).toBeGreaterThanOrEqual(sent)
    expect(clicks).toBeLessThanOrEqual(sent + CONNECTIONS)
  },
)

type Step = { text: string; status: number; clicks: number; created?: string }
type Random = () => number

const below = (random: Random, bound: number): number => Math.floor(random() * bound)

/** One request of any kind, and its expected result. */
function randomStep(random: Random, { key }: OperatedFolder, name: string): Step {
  const path = `/${CODES[below(random, CODES.length)]}`
  const headers = [`X-API-Key: ${key}`, 'Content-Type: application/json']
  const body = JSON.stringify({ original_url: 'https://example.com/', custom_code: name })
  const chunked = [...headers, 'Transfer-Encoding: chunked']
  const steps: Step[] = [
    { text: rawRequest('GET', path), status: 302, clicks: 1 },
    { text: rawRequest('GET', path, { headers: ['X-Odd: \xe9'] }), status: 302, clicks: 1 },
    { text: rawRequest('HEAD', path), status: 302, clicks: 0 },
    { text: rawRequest('GET', '/no/thing'), status: 404, clicks: 0 },
    { text: rawRequest('POST', path, { body: rawRequest('GET', path) }), status: 405, clicks: 0 },
    { text: rawRequest('GET', '/api/health'), status: 200, clicks: 0 },
    { text: rawRequest('HEAD', '/api/health'), status: 200, clicks: 0 },
    { text: rawRequest('POST', '/api/links', { headers, body }), status: 201, clicks: 0, created: name },
    {
      text: `${rawRequest('POST', '/api/links', { headers: chunked })}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      status: 201,
      clicks: 0,
      created: name,
    },
  ]
  // Half of them are plain, so that some pipelines are answered without the complete server.
  return random() < 0.5 ? steps[0]! : steps[below(random, steps.length)]!
}

/** Sends in packets of any size; a client that leaves does so after any packet. */
async function converse(port: number, steps: readonly Step[], random: Random, leaves: boolean) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const heard = { text: '', isClosed: false }
  socket.on('data', (bytes) => (heard.text += bytes.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (heard.isClosed = true))
  const statuses = () => [...heard.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  const bytes = Buffer.from(steps.map(({ text }) => text).join(''), 'latin1')
  for (let at = 0; at < bytes.length && !heard.isClosed;) {
    const end = at + 1 + below(random, random() < 0.5 ? 30 : 3_000)
    socket.write(bytes.subarray(at, end))
    at = end
    if (random() < 0.3) await Bun.sleep(below(random, 3))
    if (leaves && random() < 0.2) break
  }
  if (!leaves)
    await eventually(
      async () => statuses().length,
      (count) => count >= steps.length || heard.isClosed,
    )
  socket.resetAndDestroy()
  return statuses()
}

test('any pipeline, in packets of any size, is answered in order and counted once', async () => {
  console.log(`pipelines: PIPELINING_SEED=${SEED}`)
  await using tern = await start()
  const folder = tern.operator
  const total = { acknowledged: 0, atMost: 0 }
  let pipeline = 0
  const visit = async () => {
    while (pipeline < PIPELINES) {
      const number = pipeline++
      const random = seededRandom(SEED * PIPELINES + number)
      const steps = Array.from({ length: 1 + below(random, REQUESTS_MAX) }, (_, i) =>
        randomStep(random, folder, `made-${number}-${i}`),
      )
      const leaves = random() < 0.25
      const statuses = await converse(folder.port, steps, random, leaves)
      const expected = steps.map(({ status }) => status)
      expect([number, statuses]).toEqual([number, leaves ? expected.slice(0, statuses.length) : expected])
      const clicks = (some: readonly Step[]) => some.reduce((sum, step) => sum + step.clicks, 0)
      total.acknowledged += clicks(steps.slice(0, statuses.length))
      total.atMost += clicks(steps)
      if (!leaves) await expectMade(folder, steps)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, visit))
  const clicks = await clicksOf(folder, total.acknowledged)
  expect(clicks).toBeGreaterThanOrEqual(total.acknowledged)
  expect(clicks).toBeLessThanOrEqual(total.atMost)
})

async function expectMade(folder: OperatedFolder, steps: readonly Step[]): Promise<void> {
  const created = steps.flatMap(({ created }) => created ?? [])
  if (created.length > 0) expect((await folder.clickCounts(created)).size).toBe(created.length)
}

async function start(): Promise<Tern> {
  const tern = await Tern.start()
  await tern.makeLinks(...CODES)
  return tern
}

/** Redirects by the program's own count. */
async function redirectsSent({ port }: OperatedFolder): Promise<number> {
  const { body } = await sendRaw(`http://127.0.0.1:${port}`, rawRequest('GET', '/metrics'))
  return valueOf(parsePrometheusText(body), 'tern_short_url_responses_total', { status: '302' })
}

async function clicksOf(folder: OperatedFolder, expected: number): Promise<number> {
  const sum = async () =>
    [...(await folder.clickCounts(CODES)).values()].reduce((total, each) => total + each, 0)
  return eventually(sum, (clicks) => clicks >= expected)
}
