import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { eventually } from '../../rigs/eventually.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { cannotRun, PROXIES, ProxyProcess } from '../../rigs/outside/proxy-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(120_000)

const isMissing =
  findPostgres() === undefined &&
  skipBecause('a database that refuses behind HAProxy', 'apt-get install postgresql')
const haproxy = PROXIES.find(({ name }) => name === 'haproxy')!
const VISITS_EACH = 5

const folders = temporaryFolders()
let postgres: PostgresServer
let nodes: Nodes
let proxy: ProxyProcess

describe.skipIf(isMissing || cannotRun(haproxy))('while PostgreSQL refuses logins, behind HAProxy', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const url = new URL(await postgres.makeDatabase())
    await postgres.run('CREATE ROLE app LOGIN')
    await postgres.run(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO app`)
    url.username = 'app'
    nodes = await Nodes.start(2, {
      databaseUrl: url.href,
      folder: folders.make,
      others: { TRUSTED_PROXIES: 'loopback' },
    })
    const folder = folders.make()
    // The proxy runs as another user.
    chmodSync(folder, 0o755)
    const [first, second] = nodes.nodes.map(({ port }) => port)
    proxy = await ProxyProcess.start(haproxy, { folder, nodes: [first!, second!] })
    await nodes.operator.makeLinks(['both', 'one', 'none'])
  })

  afterAll(async () => {
    await proxy?.stop()
    await nodes?.stop()
    await postgres?.remove()
    folders.remove()
  })

  test('links that any node knows are redirected and counted, and visitors of others get 503', async () => {
    const opened = [await nodes.ask(0, 'GET', '/both'), await nodes.ask(1, 'GET', '/both')]
    opened.push(await nodes.ask(0, 'GET', '/one'))
    expect(opened.map(({ status }) => status)).toEqual([302, 302, 302])
    await postgres.run('ALTER ROLE app NOLOGIN')
    await postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`)

    const statuses: Record<string, number[]> = { both: [], one: [], none: [] }
    for (let i = 0; i < VISITS_EACH; i++)
      for (const [code, list] of Object.entries(statuses)) list.push((await proxy.get(`/${code}`)).status)
    const all = (status: number) => Array.from({ length: VISITS_EACH }, () => status)
    expect(statuses).toEqual({ both: all(302), one: all(302), none: all(503) })

    await postgres.run('ALTER ROLE app LOGIN')
    const status = async () => (await proxy.get('/none')).status
    expect(await eventually(status, (each) => each === 302)).toBe(302)
    const wanted = { both: VISITS_EACH + 2, one: VISITS_EACH + 1 }
    const counts = async () => Object.fromEntries(await nodes.operator.clickCounts(['both', 'one']))
    expect(await eventually(counts, (each) => Bun.deepEquals(each, wanted))).toEqual(wanted)
  })
})
