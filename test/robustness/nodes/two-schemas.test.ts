import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(60_000)

const isMissing =
  findPostgres() === undefined &&
  skipBecause('two installations in one database', 'apt-get install postgresql')
const folders = temporaryFolders()

let postgres: PostgresServer
let database: string
let first: Installation
let second: Installation

type Installation = { folder: OperatedFolder; server: ServerProcess }

describe.skipIf(isMissing)('two installations in one database, in different schemas', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const url = await postgres.makeDatabase()
    database = new URL(url).pathname.slice(1)
    first = await install(`${url}?schema=one`)
    second = await install(url)
  })

  afterAll(async () => {
    await Promise.all([first, second].map((each) => each?.server.stop()))
    await postgres.remove()
    folders.remove()
  })

  test('have the same codes, each with its own destination', async () => {
    for (const [name, { folder }] of Object.entries({ first, second })) {
      const link = { original_url: `https://${name}.example.com/`, custom_code: 'same' }
      const made = () => folder.api('POST', '/api/links', link)
      expect((await eventually(made, ({ status }) => status !== 503)).status).toBe(201)
    }
    expect([await open(first), await open(second)]).toEqual([
      'https://first.example.com/',
      'https://second.example.com/',
    ])
    const schemas = await postgres.run(
      `SELECT schemaname AS name FROM pg_tables WHERE tablename = 'links' ORDER BY 1`,
      database,
    )
    expect(schemas.map(({ name }) => name)).toEqual(['one', 'public'])
  })

  test('listen on channels of their own', async () => {
    const listening = await postgres.run(
      `SELECT DISTINCT query FROM pg_stat_activity WHERE datname = '${database}' AND query LIKE 'LISTEN%' ORDER BY 1`,
      database,
    )
    expect(listening.map(({ query }) => query)).toEqual([
      'LISTEN "tern_changes"',
      'LISTEN "tern_changes_one"',
    ])
  })

  test('are whole for the doctor and the counters, and one goes on without the other', async () => {
    for (const { folder } of [first, second]) {
      const { output } = await runTern(['doctor', '--json'], folder.settings)
      const found = JSON.parse(output).findings as { check: string; says: string }[]
      expect(found.find(({ check }) => check === 'schema')?.says).toBe('The tables match this version.')
      expect((await runTern(['recount', '--check'], folder.settings)).exitCode).toBe(0)
    }
    await first.server.stop()
    await postgres.run('DROP SCHEMA one CASCADE', database)
    expect(await open(second)).toBe('https://second.example.com/')
    expect((await second.folder.api('GET', '/api/links?search=second')).status).toBe(200)
  })
})

async function install(databaseUrl: string): Promise<Installation> {
  const folder = await operateFolder(folders.make(), { DATABASE_URL: databaseUrl })
  return { folder, server: await ServerProcess.start(folder.settings) }
}

async function open({ folder }: Installation): Promise<string | undefined> {
  const client = new KeepAliveClient(folder.port)
  const answer = await client.request({ method: 'GET', path: '/same' })
  client.close()
  return typeof answer === 'string' ? answer : answer.headers.location
}
