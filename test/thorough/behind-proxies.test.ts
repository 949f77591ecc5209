import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickLoad, seededRandom, sumOf } from '../rigs/program/click-load.ts'
import { eventually, until } from '../rigs/eventually.ts'
import { freePort } from '../rigs/free-port.ts'
import { KeepAliveClient } from '../rigs/http/keep-alive-client.ts'
import { operateFolder, type OperatedFolder } from '../rigs/program/operated-folder.ts'
import {
  connectToProxy,
  describeBehindProxies,
  ProxyProcess,
  useProxyFolder,
} from '../rigs/outside/proxy-process.ts'
import { ServerProcess, type Settings } from '../rigs/program/server-process.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'

// Two nodes that know the same account and links, each with a store of its own: so it can be seen which of them did
// what, and how often. In front of them a proxy as deploy/ configures it.

/** Ten, as docs/operations.md tells of: RESTARTS=10 bun test test/thorough/behind-proxies.test.ts */
const RESTARTS = Number(process.env.RESTARTS ?? 1)

setDefaultTimeout(60_000 * RESTARTS)

const root = useProxyFolder()
let prepared: OperatedFolder & { cookie: string }

beforeAll(prepareFolder)

describeBehindProxies('behind', (kind) => {
  let nodes: [Node, Node]
  let proxy: ProxyProcess

  beforeAll(startNodes)
  afterAll(stopNodes)

  test('visitors are sent to HTTPS, and API requests without it are refused', async () => {
    const plain = (path: string) =>
      fetch(`http://localhost:${proxy.plainPort}${path}`, { redirect: 'manual' })
    expect((await plain('/api/health')).status).toBe(403)
    const { status, headers } = await plain('/first?a=b')
    expect([301, 308]).toContain(status)
    expect(headers.get('location')).toMatch(/^https:\/\/localhost(:\d+)?\/first\?a=b$/)
  })

  test('a visitor is redirected and counted, and forged forwarding headers are ignored', async () => {
    const opened = await proxy.get('/first', { 'X-Forwarded-For': AMERICAN_IP, TE: 'trailers' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, 'https://example.com/first'])
    expect(
      await eventually(
        () => clicksOf(['first']),
        (count) => count === 1,
      ),
    ).toBe(1)
    for (const { port } of nodes) {
      const answer = await fetch(`http://localhost:${port}/api/analytics/countries`, {
        headers: { 'X-API-Key': prepared.key },
      })
      const { data } = (await answer.json()) as { data: { country_code: string | null }[] }
      expect(data.every(({ country_code }) => country_code === null)).toBe(true)
    }
  })

  test('pages arrive complete and compressed, and event streams arrive as they are sent', async () => {
    for (const path of ['/', '/docs', '/dashboard', '/qr/first']) {
      const { status, headers } = await proxy.get(path, { 'Accept-Encoding': 'br' })
      expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, 'br'])
    }
    const live = await proxy.get('/dashboard/api/live', {
      Cookie: prepared.cookie,
      'Sec-Fetch-Site': 'same-origin',
    })
    const reader = live.body!.getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toStartWith('retry: ')
    await reader.cancel()
  })

  test('a node that is stopped or killed costs no visitor anything, and nothing is done twice', async () => {
    const before = await clicksOf(CODES)
    const load = new ClickLoad({
      port: proxy.tlsPort,
      clients: 4,
      codes: CODES,
      random: seededRandom(1),
      connect: connectToProxy,
    })
    const callers = new LinkMaking(proxy.tlsPort, 2)
    await Bun.sleep(500)
    for (let i = 0; i < RESTARTS; i++) {
      const node = nodes[i % 2]!
      expect(await node.server!.stop()).toMatchObject({ exitCode: 0, complaints: '' })
      await node.start()
      // On a busy machine its API, which answers the proxy's checks, may be up long after its redirects.
      await until(async () => (await fetch(`http://localhost:${node.port}/api/health`)).ok)
      await Bun.sleep(NOTICED_MS)
    }
    console.log(
      `${kind.name}: ${RESTARTS} restarts, ${sumOf(load.tally.acknowledged)} redirects, ${callers.summary}`,
    )
    if (kind.asksHealth) expect(callers.notMade).toEqual([])
    await nodes[1].server!.kill()
    await Bun.sleep(500)
    const made = await callers.stop()
    const tally = await load.stop()
    await nodes[1].start()

    expect([tally.statuses.size, tally.cut, tally.refused]).toEqual([0, { before: 0, within: 0 }, 0])
    expect(made.length).toBeGreaterThan(20)
    for (const { code, isMade } of made) {
      const known = (await Promise.all(nodes.map((node) => node.clicks(code)))).filter(
        (clicks) => clicks !== undefined,
      )
      // Where there was no answer it may have been made, but not on both.
      expect([code, known.length <= 1, known.length === 1 || !isMade]).toEqual([code, true, true])
    }
    const acknowledged = sumOf(tally.acknowledged) + before
    const counted = await eventually(
      () => clicksOf(CODES),
      (count) => count >= acknowledged,
    )
    expect(counted).toBeGreaterThanOrEqual(acknowledged)
    // A click of a visitor whom the killed node had not answered yet may be there twice.
    expect(counted).toBeLessThanOrEqual(acknowledged + 4)
  })

  test('nodes whose database is down keep redirecting the links they know', async () => {
    // What a node then answers: it is asked for nothing else here.
    const away = [1, 2].map(() =>
      Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: ({ url }) => new Response('', { status: STATUS_WHILE_AWAY[new URL(url).pathname] ?? 503 }),
      }),
    )
    const own = join(root, `${kind.name}-away`)
    mkdirSync(own, { mode: 0o755 })
    const before = await ProxyProcess.start(kind, {
      folder: own,
      nodes: [away[0]!.port!, away[1]!.port!],
    })
    for (let i = 0; i < 20; i++) {
      expect((await before.get('/unknown')).status).toBe(503)
      expect((await before.get('/known')).status).toBe(302)
    }
    await before.stop()
    await Promise.all(away.map((server) => server.stop(true)))
  })

  test('no visitor’s IP address is logged, not even when no node responds', async () => {
    const visitor = new KeepAliveClient(proxy.tlsPort, (port) => connectToProxy(port, VISITOR_IP))
    const ask = () => visitor.request({ method: 'GET', path: '/first' })
    expect(await ask()).toMatchObject({ status: 302 })
    await Promise.all(nodes.map(({ server }) => server!.kill()))
    const answer = await ask()
    expect(typeof answer === 'string' || answer.status >= 500).toBe(true)
    visitor.close()
    await proxy.stop()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )
    const texts = files.map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'))
    expect([proxy.said, ...texts].filter((text) => text.includes(VISITOR_IP))).toEqual([])
  })

  async function startNodes(): Promise<void> {
    mkdirSync(folder, { mode: 0o755 })
    nodes = [new Node(join(root, `${kind.name}-1`)), new Node(join(root, `${kind.name}-2`))]
    await Promise.all(nodes.map((node) => node.start()))
    proxy = await ProxyProcess.start(kind, { folder, nodes: [nodes[0].port, nodes[1].port] })
  }

  async function stopNodes(): Promise<void> {
    await proxy?.stop()
    await Promise.all((nodes ?? []).map(({ server }) => server?.kill()))
  }

  const folder = join(root, kind.name)

  const clicksOf = async (codes: readonly string[]) => {
    const counts = await Promise.all(nodes.flatMap((node) => codes.map((code) => node.clicks(code))))
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  }
})

class Node {
  readonly port = freePort()
  readonly #settings: Settings
  server: ServerProcess | undefined

  constructor(dataDir: string) {
    cpSync(prepared.settings.DATA_DIR, dataDir, { recursive: true })
    this.#settings = { ...prepared.settings, DATA_DIR: dataDir, PORT: String(this.port), STOP_DELAY: '5s' }
  }

  async start(): Promise<void> {
    this.server = await ServerProcess.start(this.#settings)
  }

  /** Undefined when it does not know the link. */
  async clicks(code: string): Promise<number | undefined> {
    const client = new KeepAliveClient(this.port)
    const headers = { 'X-API-Key': prepared.key }
    const answer = await client.request({ method: 'GET', path: `/api/links/${code}`, headers })
    client.close()
    if (typeof answer === 'string') throw new Error(answer)
    return answer.status === 200 ? JSON.parse(answer.body).data.click_count : undefined
  }
}

async function prepareFolder(): Promise<void> {
  const operated = await operateFolder(join(root, 'prepared'), { TRUSTED_PROXIES: 'loopback' })
  const server = await ServerProcess.start(operated.settings)
  await operated.makeLinks(CODES)
  const signedIn = await fetch(`http://localhost:${operated.port}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify(OPERATOR),
  })
  prepared = { ...operated, cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! }
  await server.stop()
}

const CODES = ['first', 'second', 'third']

const OPERATOR = { email: 'operator@example.com', password: PASSWORD }
const AMERICAN_IP = '8.8.8.8'

/** No other client uses it. */
const VISITOR_IP = '127.0.0.77'

const STATUS_WHILE_AWAY: Record<string, number> = { '/api/health': 200, '/known': 302 }

/** The proxies look after their nodes every two seconds. */
const NOTICED_MS = 3_000

/** Clients that create links one after the other, each with its own code. */
class LinkMaking {
  readonly #made: { code: string; isMade: boolean }[] = []
  readonly #running: Promise<unknown>
  #isStopping = false

  constructor(port: number, callers: number) {
    this.#running = Promise.all(Array.from({ length: callers }, (_, i) => this.#make(port, i)))
  }

  get summary(): string {
    return `${this.#made.length} links, ${this.notMade.length} of them not made`
  }

  /** So far. */
  get notMade(): string[] {
    return this.#made.filter(({ isMade }) => !isMade).map(({ code }) => code)
  }

  async stop(): Promise<{ code: string; isMade: boolean }[]> {
    this.#isStopping = true
    await this.#running
    return this.#made
  }

  async #make(port: number, caller: number): Promise<void> {
    const client = new KeepAliveClient(port, connectToProxy)
    for (let i = 0; !this.#isStopping; i++) {
      const code = `caller${caller}-${i}`
      const body = { original_url: 'https://example.com/', custom_code: code }
      const headers = { 'X-API-Key': prepared.key }
      const answer = await client.request({ method: 'POST', path: '/api/links', headers, body })
      this.#made.push({ code, isMade: typeof answer !== 'string' && answer.status === 201 })
      await Bun.sleep(20)
    }
    client.close()
  }
}
