import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endAll } from '../rigs/http/api-proxy-rig.ts'
import { eventually, until } from '../rigs/eventually.ts'
import { askHttp2 } from '../rigs/http/http2-client.ts'
import { type ClientAnswer, KeepAliveClient } from '../rigs/http/keep-alive-client.ts'
import { connectTo } from '../rigs/http/redirect-server-rig.ts'
import { operateFolder, type OperatedFolder } from '../rigs/program/operated-folder.ts'
import {
  connectToProxy,
  describeBehindProxies,
  ProxyProcess,
  useProxyFolder,
} from '../rigs/outside/proxy-process.ts'
import { sendRaw } from '../rigs/http/raw-http.ts'
import { ServerProcess } from '../rigs/program/server-process.ts'

// The largest requests and responses must pass through each proxy with the configuration in deploy/.

const root = useProxyFolder()
let node: OperatedFolder
let server: ServerProcess

beforeAll(startServer)
afterAll(() => server.stop())

describeBehindProxies('behind', (kind) => {
  const { name } = kind
  let proxy: ProxyProcess

  beforeAll(startProxy)
  afterAll(() => proxy?.stop())

  test('the longest destination arrives complete, over HTTP/1.1 and HTTP/2, and each visit counts once', async () => {
    const code = `longest-${name}`
    const made = await node.api('POST', '/api/links', { original_url: LONGEST, custom_code: code })
    expect(made.status).toBe(201)
    const client = new KeepAliveClient(proxy.tlsPort, connectToProxy)
    for (let i = 0; i < VISITS_EACH; i++) {
      const { status, headers } = await askHttp2(proxy.tlsPort, { method: 'GET', path: `/${code}` })
      expect([status, headers.location]).toEqual([302, LONGEST])
      const overOne = await client.request({ method: 'GET', path: `/${code}` })
      expect(overOne).toMatchObject({ status: 302, headers: { location: LONGEST } })
    }
    client.close()
    const counts = await eventually(
      () => node.clickCounts([code]),
      (clicks) => clicks.get(code)! >= 2 * VISITS_EACH,
    )
    expect(counts.get(code)).toBe(2 * VISITS_EACH)
  })

  test('a body that is too large gets a response that its sender receives, over HTTP/1.1 and HTTP/2', async () => {
    const before = await countLinks()
    for (const bytes of TOO_LARGE_BYTES) {
      const body = Buffer.alloc(bytes, 'x')
      const headers = { 'x-api-key': node.key, 'content-type': 'application/json' }
      const declared = { ...headers, 'content-length': String(bytes) }
      const request = { method: 'POST', path: '/api/links', body }
      for (const headersSent of [declared, headers]) {
        const answer = await askHttp2(proxy.tlsPort, { ...request, headers: headersSent })
        expect([bytes, answer.resetCode, outcomeOf(answer)]).toEqual([bytes, 0, TOO_LARGE])
      }
      const client = new KeepAliveClient(proxy.tlsPort, connectToProxy)
      const overOne = await client.request({ ...request, headers, body: body.toString() })
      expect(outcomeOf(overOne as ClientAnswer)).toEqual(TOO_LARGE)
      client.close()
    }
    expect(await countLinks()).toBe(before)
  })

  async function startProxy(): Promise<void> {
    const folder = join(root, name)
    mkdirSync(folder, { mode: 0o755 })
    proxy = await ProxyProcess.start(kind, { folder, nodes: [node.port, node.port] })
  }
})

describe('without a proxy', () => {
  afterEach(endAll)

  const url = () => `http://127.0.0.1:${node.port}`
  const head = (fields: string) =>
    `POST /api/links HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${node.key}\r\n${fields}\r\n`
  const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`

  test.each(['', 'Expect: 100-continue\r\n'])(
    'a body that is too large is refused: %j',
    async (expect100) => {
      for (const bytes of TOO_LARGE_BYTES) {
        const declared = head(`${expect100}Content-Length: ${bytes}\r\n`) + 'x'.repeat(bytes)
        const chunked = head(`${expect100}Transfer-Encoding: chunked\r\n`) + `${chunkOf(bytes)}0\r\n\r\n`
        for (const request of [declared, chunked]) {
          const answer = await sendRaw(url(), request)
          expect([bytes, outcomeOf(answer), answer.headers.connection]).toEqual([bytes, TOO_LARGE, 'close'])
        }
      }
    },
  )

  test('it gets the response after it has arrived, because proxies abort otherwise', async () => {
    for (const all of [
      head(`Content-Length: ${2 * MIB}\r\n`) + 'x'.repeat(2 * MIB),
      head('Transfer-Encoding: chunked\r\n') + `${chunkOf(2 * MIB)}0\r\n\r\n`,
    ]) {
      const { socket, received } = connectTo(node.port)
      socket.write(all.slice(0, -END_BYTES))
      await until(() => socket.writableLength === 0)
      await expectAnswers(node.port)
      expect(received.text).toBe('')
      socket.write(all.slice(-END_BYTES))
      await until(() => received.hasEnded)
      expect([received.text.startsWith('HTTP/1.1 413 '), received.wasReset]).toEqual([true, false])
    }
  })

  test('one that is larger than the read limit is refused before it is completely sent', async () => {
    const bytes = 24 * MIB
    const declared = head(`Content-Length: ${bytes}\r\n`) + 'x'.repeat(bytes)
    const chunked = head('Transfer-Encoding: chunked\r\n') + `${chunkOf(MIB).repeat(24)}0\r\n\r\n`
    for (const request of [declared, chunked]) {
      const { status, hasHung } = await sendRaw(url(), request)
      expect({ status, hasHung }).toEqual({ status: 413, hasHung: false })
    }
  })
})

/** As long as a destination may be, and full of what a proxy may not change. */
const LONGEST = 'https://example.com/?q=%E6%97%A5#'.padEnd(8192, 'a~')

async function startServer(): Promise<void> {
  node = await operateFolder(join(root, 'data'), { TRUSTED_PROXIES: 'loopback' })
  server = await ServerProcess.start(node.settings)
}

const VISITS_EACH = 5
const MIB = 1024 * 1024

/** Above what the API takes, and up to what is read of it so that its sender hears so. */
const TOO_LARGE_BYTES = [MIB + 1, 2 * MIB, 15 * MIB]

/** The last chunk, and something before it. */
const END_BYTES = 10

const TOO_LARGE = { status: 413, success: false }

const outcomeOf = ({ status, body }: { status: number; body: string }) => ({
  status,
  success: JSON.parse(body).success,
})

/** Earlier API requests have their responses by then, if they get any. */
async function expectAnswers(port: number): Promise<void> {
  for (let i = 0; i < 20; i++)
    expect((await fetch(`http://127.0.0.1:${port}/api/stats/public`)).status).toBe(200)
}

const countLinks = async (): Promise<number> =>
  JSON.parse((await node.api('GET', '/api/links')).body).meta.total
