import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { until } from '../rigs/eventually.ts'
import { describeBehindProxies, ProxyProcess } from '../rigs/outside/proxy-process.ts'
import { type ServiceRig, startServiceRig } from '../rigs/service/service-rig.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'

const DOMAINS = ['go.example', 'sale.example'] as const

describeBehindProxies('several domains, set up as deploy/ says, behind', (kind) => {
  const folders = temporaryFolders()
  /** Caddy gets certificates by itself. */
  const isAsking = kind.name === 'caddy'
  let rig: ServiceRig
  let proxy: ProxyProcess
  let certbot: ReturnType<typeof Bun.serve>

  beforeAll(startBehindProxy)
  afterAll(stopAll)

  test('each domain has its own certificate, and no other host has one of its own', async () => {
    for (const host of [...DOMAINS, 'localhost']) expect(await certificateOf(host)).toBe(`DNS:${host}`)
    for (const host of [STRANGER, 'other.example']) {
      const shown = await certificateOf(host)
      expect(isAsking ? shown === undefined : shown?.includes(host) === false).toBe(true)
    }
  })

  test('the same code is another link on each domain', async () => {
    for (const host of [...DOMAINS, 'localhost'])
      expect(await visit(host, '/same')).toEqual([302, `https://example.com/of-${host}`])
    expect((await visit(DOMAINS[0], '/api/links'))[0]).toBe(404)
  })

  test('visitors without TLS are sent to HTTPS on the same domain', async () => {
    const url = `http://127.0.0.1:${proxy.plainPort}/same`
    const plain = await fetch(url, { headers: { Host: DOMAINS[0] }, redirect: 'manual' })
    expect([301, 308]).toContain(plain.status)
    expect(plain.headers.get('location')).toMatch(/^https:\/\/go\.example(:\d+)?\/same$/)
  })

  const withCertbot = isAsking ? test.skip : test
  withCertbot('the challenges of certbot are answered without TLS', async () => {
    const headers = { Host: DOMAINS[1] }
    const challenge = await fetch(`http://127.0.0.1:${proxy.plainPort}${CHALLENGE}`, { headers })
    expect([challenge.status, await challenge.text()]).toEqual([200, 'a proof'])
  })

  test('who asks for which hosts to get certificates is answered on this machine, not through the proxy', async () => {
    const path = (host: string) => `/.well-known/tls-ask?domain=${host}`
    const asked = async (host: string) => (await rig.call('GET', path(host))).status
    expect(await Promise.all([...DOMAINS, STRANGER].map(asked))).toEqual([200, 200, 404])
    expect((await visit('localhost', path(DOMAINS[0])))[0]).toBe(404)
  })

  async function startBehindProxy(): Promise<void> {
    rig = await startServiceRig({ TRUSTED_PROXIES: 'loopback' })
    const folder = folders.make()
    const challenges = join(folder, CHALLENGE, '..')
    mkdirSync(challenges, { recursive: true })
    writeFileSync(join(folder, CHALLENGE), 'a proof')
    // A proxy's workers run as another user.
    chmodSync(folder, 0o755)
    certbot = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('a proof') })
    proxy = await ProxyProcess.start(kind, {
      folder,
      nodes: [rig.config.port, rig.config.port],
      domains: DOMAINS,
      certbot: { folder, port: certbot.port! },
    })
    const { key, workspaceId } = await rig.makeCaller()
    const rows = DOMAINS.map((host) => ({ host, name: host, workspace_id: workspaceId, verified_at: 1 }))
    await rig.store.db.insertInto('domains').values(rows).execute()
    const make = (domain: string) =>
      rig.call('POST', '/api/links', {
        key,
        body: { original_url: `https://example.com/of-${domain}`, custom_code: 'same', domain },
      })
    // The service follows changes of the store within a second.
    for (const domain of [...DOMAINS, 'localhost'])
      await until(async () => (await make(domain)).status === 201)
  }

  async function stopAll(): Promise<void> {
    await proxy?.stop()
    await certbot?.stop(true)
    await rig?.stop()
    folders.remove()
  }

  /** The names in the certificate that a visitor of the host gets; undefined if there is none. */
  const certificateOf = (servername: string) =>
    new Promise<string | undefined>((resolve) => {
      const place = { port: proxy.tlsPort, host: '127.0.0.1', servername }
      const socket = connect({ ...place, rejectUnauthorized: false })
      socket.on('secureConnect', () => {
        resolve(socket.getPeerCertificate().subjectaltname)
        socket.destroy()
      })
      socket.on('error', () => resolve(undefined))
    })

  /** As a visitor of the host. */
  const visit = (host: string, path: string) =>
    new Promise<[status: number | undefined, location: string | undefined]>((resolve, reject) => {
      const place = { host: '127.0.0.1', port: proxy.tlsPort, servername: host, path, agent: false }
      const asked = request({ ...place, headers: { Host: host }, rejectUnauthorized: false })
      asked.on('response', (response) => {
        response.resume()
        resolve([response.statusCode, response.headers.location])
      })
      asked.on('error', reject)
      asked.end()
    })
})

const CHALLENGE = '/.well-known/acme-challenge/a-token'

const STRANGER = 'stranger.example'
