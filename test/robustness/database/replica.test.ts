import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { TcpProxy } from '../../rigs/outside/tcp-proxy.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('reading from a replica', 'apt-get install postgresql')
const folders = temporaryFolders()
const SETTINGS = { wal_level: 'replica', max_wal_senders: 5, hot_standby: 'on', fsync: 'off' }

let primary: PostgresServer
let replica: PostgresServer
let toPrimary: TcpProxy
let folder: OperatedFolder
let server: ServerProcess
let database: string

describe.skipIf(isMissing)('with a replica', () => {
  beforeAll(async () => {
    primary = await PostgresServer.start({ settings: SETTINGS })
    const url = await primary.makeDatabase()
    database = new URL(url).pathname.slice(1)
    replica = await PostgresServer.start({ settings: SETTINGS, of: primary })
    toPrimary = await TcpProxy.start(primary.port)
    folder = await operateFolder(folders.make(), { DATABASE_URL: toPrimary.urlOf(url) })
    folder.settings.DATABASE_READ_URL = replica.urlOf(database)
    server = await ServerProcess.start(folder.settings)
  })

  afterAll(async () => {
    await server.stop()
    await toPrimary.stop()
    await replica.remove()
    await primary.remove()
    folders.remove()
  })

  const listed = async () => {
    const { status, body } = await folder.api('GET', '/api/links')
    return { status, codes: status === 200 ? JSON.parse(body).data.map((link: any) => link.short_code) : [] }
  }
  /** What the replica has answered of ours so far, lists above all. */
  const askedOfReplica = async () => {
    const [row] = await replica.run(
      `SELECT coalesce(sum(calls), 0)::int AS calls FROM (SELECT xact_commit AS calls FROM pg_stat_database WHERE datname = '${database}') AS of_database`,
    )
    return Number(row!.calls)
  }

  test('lists are read there, single links and writes are not', async () => {
    await folder.makeLinks(['first'])
    expect((await folder.api('GET', '/api/links/first')).status).toBe(200)
    expect((await eventually(listed, ({ codes }) => codes.length === 1)).codes).toEqual(['first'])
    await Bun.sleep(1_500)
    const before = await askedOfReplica()
    for (let n = 0; n < 200; n++) expect((await listed()).codes).toEqual(['first'])
    await Bun.sleep(1_500)
    expect((await askedOfReplica()) - before).toBeGreaterThan(200)
  })

  test('a replica that falls behind is not read', async () => {
    await replica.run('SELECT pg_wal_replay_pause()')
    await folder.makeLinks(['second'])
    const found = await eventually(listed, ({ codes }) => codes.length === 2)
    expect(found.codes).toEqual(['second', 'first'])
    await replica.run('SELECT pg_wal_replay_resume()')
  })

  test('a link has analytics as soon as it is created, though the replica does not have it yet', async () => {
    await replica.run('SELECT pg_wal_replay_pause()')
    await folder.makeLinks(['third'])
    const paths = ['/api/analytics/links/third', '/api/analytics/countries?short_code=third']
    const answers = await Promise.all(paths.map((path) => folder.api('GET', path)))
    await replica.run('SELECT pg_wal_replay_resume()')
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await folder.api('DELETE', '/api/links/third')
  })

  test('a replica that is down is not missed', async () => {
    await replica.stop('immediate')
    for (let n = 0; n < 20; n++) expect(await listed()).toEqual({ status: 200, codes: ['second', 'first'] })
    await replica.startAgain()
  })
})
