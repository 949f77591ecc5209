import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeBehindProxies, ProxyProcess } from '../rigs/outside/proxy-process.ts'
import { startServiceRig, type ServiceRig } from '../rigs/service/service-rig.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'

const BASE_PATH = '/links'

describeBehindProxies('a server at a path of a host, set up as docs/operations.md says, behind', (kind) => {
  const folders = temporaryFolders()
  let rig: ServiceRig
  let proxy: ProxyProcess
  let key: string

  beforeAll(startBehindProxy)
  afterAll(stopAll)

  test('short URLs, the API, pages and the dashboard are there, and lead to each other', async () => {
    const made = await fetchJson('/links/api/links', {
      method: 'POST',
      body: JSON.stringify({ original_url: 'https://example.com/launch', custom_code: 'launch' }),
    })
    expect([made.status, made.body.data.short_url]).toEqual([201, `${BASE_URL}/launch`])
    const redirect = await visit('/links/launch')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'https://example.com/launch'])
    for (const path of ['/links/', '/links/docs', '/links/dashboard/', '/links/qr/launch', '/links/launch+'])
      expect([path, (await visit(path)).status]).toEqual([path, 200])
    // nginx adds the slash.
    expect((await visit('/links', { redirect: 'follow' })).status).toBe(200)
    const page = await (await visit('/links/dashboard/')).text()
    const parts = [...page.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, path]) => path!)
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) expect([part, (await visit(part)).status]).toEqual([part, 200])
  })

  test('the rest of the host is not asked of it', async () => {
    for (const path of ['/launch', '/dashboard/', '/linksx', '/api/health']) {
      const { headers } = await visit(path)
      expect([path, headers.get('x-request-id'), headers.get('location')]).toEqual([path, null, null])
    }
  })

  async function startBehindProxy(): Promise<void> {
    rig = await startServiceRig({ TRUSTED_PROXIES: 'loopback', BASE_URL })
    ;({ key } = await rig.makeCaller())
    const nodes = [rig.config.port, rig.config.port] as const
    proxy = await ProxyProcess.start(kind, { folder: folders.make(), nodes, basePath: BASE_PATH })
  }

  async function stopAll(): Promise<void> {
    await proxy?.stop()
    await rig?.stop()
    folders.remove()
  }

  const visit = (path: string, init: RequestInit = {}) =>
    fetch(`https://localhost:${proxy.tlsPort}${path}`, {
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
      ...init,
    })

  async function fetchJson(path: string, init: RequestInit) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await visit(path, { ...init, headers })
    return { status: response.status, body: (await response.json()) as any }
  }
})

const BASE_URL = `https://localhost${BASE_PATH}`
