import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../rigs/eventually.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(60_000)

const isMissing =
  findPostgres() === undefined && skipBecause('a database that refuses', 'apt-get install postgresql')
const folders = temporaryFolders()

let postgres: PostgresServer
let database: string
let folder: OperatedFolder
let server: ServerProcess
let cookie = ''

describe.skipIf(isMissing)('while PostgreSQL refuses', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const url = new URL(await postgres.makeDatabase())
    database = url.pathname.slice(1)
    await postgres.run(`CREATE ROLE app LOGIN PASSWORD 'right'`)
    await postgres.run(`ALTER DATABASE ${database} OWNER TO app`)
    url.username = 'app'
    url.password = 'right'
    await allow('scram-sha-256')
    folder = await operateFolder(folders.make(), { DATABASE_URL: url.href })
    server = await ServerProcess.start(folder.settings)
    await folder.makeLinks(['known', 'other'])
    const session = { email: folder.email, password: 'correct horse battery staple' }
    const { headers } = await dashboard('POST', '/session', session)
    cookie = String(headers['set-cookie']).split(';', 1)[0]!
  })

  afterAll(async () => {
    await server.stop()
    await postgres.remove()
    folders.remove()
  })

  const refusals: [name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>][] = [
    ['the password', () => setRole("PASSWORD 'wrong'"), () => setRole("PASSWORD 'right'")],
    ['logins of the user', () => setRole('NOLOGIN'), () => setRole('LOGIN')],
    [
      'more connections of the user',
      () => setRole('CONNECTION LIMIT 0'),
      () => setRole('CONNECTION LIMIT -1'),
    ],
    ['the host, in pg_hba.conf', () => allow('reject'), () => allow('scram-sha-256')],
    [
      'any connection to the database',
      () => setDatabase('ALLOW_CONNECTIONS false'),
      () => setDatabase('ALLOW_CONNECTIONS true'),
    ],
    [
      'a database that was renamed',
      async () => {
        await setDatabase('ALLOW_CONNECTIONS false')
        await disconnect()
        await setDatabase('RENAME TO elsewhere')
        await postgres.run('ALTER DATABASE elsewhere ALLOW_CONNECTIONS true')
      },
      () => postgres.run(`ALTER DATABASE elsewhere RENAME TO ${database}`),
    ],
  ]

  test.each(refusals)(
    '%s, callers and visitors get 503, and all is well afterwards',
    async (_, begin, end) => {
      expect((await open('known')).status).toBe(302)
      await begin()
      await disconnect()
      const uncached = crypto.randomUUID().slice(0, 8)
      const answers = await Promise.all([
        open(uncached),
        ...PATHS.map((path) => folder.api('GET', path)),
        folder.api('POST', '/api/links', { original_url: 'https://example.com/' }),
        dashboard('POST', '/session', { email: folder.email, password: 'wrong' }),
        ...DASHBOARD_PATHS.map((path) => dashboard('GET', path)),
      ])
      expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        answers.map(() => [503, '5']),
      )
      expect((await open('known')).status).toBe(302)
      expect(await eventually(health, (status) => status === 'degraded')).toBe('degraded')
      await end()
      expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
      const made = () => folder.api('POST', '/api/links', { original_url: 'https://example.com/' })
      expect((await eventually(made, ({ status }) => status === 201)).status).toBe(201)
    },
  )

  test('reads and writes are refused in words of their own', async () => {
    await setRole('NOLOGIN')
    await disconnect()
    const messageOf = async (method: string, body?: unknown) =>
      JSON.parse((await folder.api(method, '/api/links', body)).body).message
    expect(await messageOf('GET')).toBe(
      'The database cannot be read at the moment. Try again in a few seconds.',
    )
    expect(await messageOf('POST', { original_url: 'https://example.com/' })).toBe(
      'Nothing can be stored at the moment. Try again in a few seconds.',
    )
    await setRole('LOGIN')
    expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
  })

  test('only changes, reads are answered, and the health check knows without anybody trying one', async () => {
    await setReadOnly('on')
    expect(await eventually(health, (status) => status === 'degraded')).toBe('degraded')
    expect((await folder.api('GET', '/api/info/other')).status).toBe(200)
    const refused = await folder.api('POST', '/api/links', { original_url: 'https://example.com/' })
    expect([refused.status, JSON.parse(refused.body).message]).toEqual([
      503,
      'Nothing can be stored at the moment. Try again in a few seconds.',
    ])
    await setReadOnly('off')
    expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
  })

  test('a node that starts serves what it knows, and the rest once it is let in', async () => {
    expect((await open('known')).status).toBe(302)
    expect((await server.stop()).exitCode).toBe(0)
    await setRole('NOLOGIN')
    server = await ServerProcess.start(folder.settings)
    expect((await open('known')).status).toBe(302)
    expect((await open('never-made')).status).toBe(503)
    expect((await folder.api('GET', '/api/links')).status).toBe(503)
    expect(await eventually(health, (status) => status === 'degraded')).toBe('degraded')
    expect(server.output).toContain('PostgreSQL does not accept this machine as the user of DATABASE_URL')
    await setRole('LOGIN')
    expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
    const missing = () => open('never-made')
    expect((await eventually(missing, ({ status }) => status === 404)).status).toBe(404)
  })
})

const PATHS = ['/api/links', '/api/links/other', '/api/analytics/overview', '/api/account', '/api/info/other']

const DASHBOARD_PATHS = ['/session', '/links', '/analytics', '/live']

async function dashboard(method: string, path: string, body?: unknown) {
  const client = new KeepAliveClient(folder.port)
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
  const answer = await client.request({ method, path: `/dashboard/api${path}`, headers, body })
  client.close()
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

const setRole = (change: string) => postgres.run(`ALTER ROLE app ${change}`)
const setDatabase = (change: string) => postgres.run(`ALTER DATABASE ${database} ${change}`)

/** How PostgreSQL lets the user in. */
async function allow(method: string): Promise<void> {
  const path = join(postgres.dataFolder, 'pg_hba.conf')
  const others = readFileSync(path, 'utf8').replace(/^host all app .*\n/, '')
  writeFileSync(path, `host all app 127.0.0.1/32 ${method}\n${others}`)
  await postgres.run('SELECT pg_reload_conf()')
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  await postgres.run(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
  await postgres.run('SELECT pg_reload_conf()')
}

/** What is connected already would not be refused. */
const disconnect = () =>
  postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`)

async function open(code: string) {
  const client = new KeepAliveClient(folder.port)
  const answer = await client.request({ method: 'GET', path: `/${code}` })
  client.close()
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

const health = async (): Promise<string> => {
  await Bun.sleep(50) // Within the limit of requests without a key.
  return JSON.parse((await folder.api('GET', '/api/health')).body).status
}
