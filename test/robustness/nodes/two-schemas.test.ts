import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PostgresServer } from '../../rigs/store/postgres-server.ts'
import { testPostgres } from '../../rigs/store/test-store.ts'
import { lacks } from '../driver/lacks.ts'
import { Tern } from '../driver/tern.ts'

const isMissing = lacks('two installations in one database', 'postgresql')

describe.skipIf(isMissing)('two installations in one database, in different schemas', () => {
  let postgres: PostgresServer
  let database: string
  let first: Tern
  let second: Tern

  beforeAll(startBoth)
  afterAll(async () => {
    for (const tern of [first, second]) await tern?.[Symbol.asyncDispose]()
  })

  test('have the same codes, each with its own destination', async () => {
    for (const [name, tern] of Object.entries({ first, second })) {
      const link = { original_url: `https://${name}.example.com/`, custom_code: 'same' }
      expect((await tern.api('POST', '/api/links', link)).status).toBe(201)
    }
    expect([await destination(first), await destination(second)]).toEqual([
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
    for (const tern of [first, second]) {
      const [finding] = await tern.findings('schema')
      expect(finding?.says).toBe('The tables match this version.')
      expect((await tern.run(['recount', '--check'])).exitCode).toBe(0)
    }
    await first.stop()
    await postgres.run('DROP SCHEMA one CASCADE', database)
    expect(await destination(second)).toBe('https://second.example.com/')
    expect((await second.api('GET', '/api/links?search=second')).status).toBe(200)
  })

  async function startBoth(): Promise<void> {
    postgres = await testPostgres()
    const url = await postgres.makeDatabase()
    database = new URL(url).pathname.slice(1)
    first = await Tern.start({ settings: { DATABASE_URL: `${url}?schema=one` } })
    second = await Tern.start({ settings: { DATABASE_URL: url } })
  }
})

const destination = async (tern: Tern) => (await tern.api('GET', '/same')).headers.location
