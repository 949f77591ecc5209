import { describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { becomes } from '../../rigs/eventually.ts'
import { cannotRun, PROXIES, ProxyProcess } from '../../rigs/outside/proxy-process.ts'
import { refusedLogin } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const HAPROXY = PROXIES.find(({ name }) => name === 'haproxy')!
const VISITS_EACH = 5
const isMissing = lacks('a database that refuses behind HAProxy', 'postgresql') || cannotRun(HAPROXY)

describe.skipIf(isMissing)('while PostgreSQL refuses logins, behind HAProxy', () => {
  const settings = { TRUSTED_PROXIES: 'loopback' }
  const tern = useTern({ nodes: 2, postgres: { hasUser: true }, settings })

  test('links that any node knows are redirected and counted, and visitors of others get 503', async () => {
    await using proxy = await startProxy()
    await tern.makeLinks('both', 'one', 'none')
    expect([await tern.visit('both'), await tern.visit('both', 1), await tern.visit('one')]).toEqual([
      302, 302, 302,
    ])
    const admit = await refusedLogin(tern)

    const statuses: Record<string, number[]> = { both: [], one: [], none: [] }
    for (let i = 0; i < VISITS_EACH; i++)
      for (const [code, list] of Object.entries(statuses)) list.push((await proxy.get(`/${code}`)).status)
    const all = (status: number) => Array.from({ length: VISITS_EACH }, () => status)
    expect(statuses).toEqual({ both: all(302), one: all(302), none: all(503) })

    await admit()
    await becomes(async () => (await proxy.get('/none')).status, 302)
    await tern.counted({ both: VISITS_EACH + 2, one: VISITS_EACH + 1 })
  })

  async function startProxy() {
    const folder = tern.folders.make()
    // The proxy runs as another user.
    chmodSync(folder, 0o755)
    const [first, second] = tern.nodes
    const proxy = await ProxyProcess.start(HAPROXY, { folder, nodes: [first!.port, second!.port] })
    return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.stop() })
  }
})
