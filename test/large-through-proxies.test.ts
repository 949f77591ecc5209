import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askHttp2 } from './rigs/http2-client.ts'
import { KeepAliveClient } from './rigs/keep-alive-client.ts'
import { operateFolder, type OperatedFolder } from './rigs/operated-folder.ts'
import { cannotRun, connectToProxy, PROXIES, ProxyProcess } from './rigs/proxy-process.ts'
import { ServerProcess } from './rigs/server-process.ts'
import { eventually } from './rigs/service-rig.ts'

// What is as large as Tern lets it be has to pass through each proxy as deploy/ configures it.

/** As long as a destination may be, and full of what a proxy may not change. */
const LONGEST = 'https://example.com/?q=%E6%97%A5#'.padEnd(8192, 'a~')
const VISITS_EACH = 5

setDefaultTimeout(60_000)

const root = mkdtempSync(join(tmpdir(), 'tern-large-'))
// A proxy's workers are somebody else.
chmodSync(root, 0o755)
let node: OperatedFolder
let server: ServerProcess

beforeAll(async () => {
  node = await operateFolder(join(root, 'data'), { TRUSTED_PROXIES: 'loopback' })
  server = await ServerProcess.start(node.settings)
})

afterAll(async () => {
  await server.stop()
  rmSync(root, { recursive: true })
})

describe.each(PROXIES.map((kind) => [kind.name, kind] as const))('behind %s', (name, kind) => {
  describe.skipIf(cannotRun(kind))('', () => {
    let proxy: ProxyProcess

    beforeAll(async () => {
      const folder = join(root, name)
      mkdirSync(folder, { mode: 0o755 })
      proxy = await ProxyProcess.start(kind, { folder, nodes: [node.port, node.port] })
    })
    afterAll(() => proxy?.stop())

    test('the longest destination arrives whole, over HTTP/1.1 and HTTP/2, and each visit counts once', async () => {
      const code = `longest-${name}`
      const made = await node.api('POST', '/api/links', { original_url: LONGEST, custom_code: code })
      expect(made.status).toBe(201)
      const client = new KeepAliveClient(proxy.tlsPort, connectToProxy)
      for (let i = 0; i < VISITS_EACH; i++) {
        const { status, headers } = await askHttp2(proxy.tlsPort, { method: 'GET', path: `/${code}` })
        expect([status, headers.location]).toEqual([302, LONGEST])
        const overOne = await client.ask({ method: 'GET', path: `/${code}` })
        expect(overOne).toMatchObject({ status: 302, headers: { location: LONGEST } })
      }
      client.close()
      const counts = await eventually(
        () => node.clickCounts([code]),
        (clicks) => clicks.get(code)! >= 2 * VISITS_EACH,
      )
      expect(counts.get(code)).toBe(2 * VISITS_EACH)
    })
  })
})
