import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { eventually } from '../../rigs/eventually.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { parsePrometheusText } from '../../rigs/http/prometheus-text.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

/** Far above what an answer may take, and below what it took while a report waited for the server alone. */
setDefaultTimeout(60_000)

const isMissing =
  findPostgres() === undefined && skipBecause('a database that hangs', 'apt-get install postgresql')
const folders = temporaryFolders()

/** More than there are connections. */
const TIMES = 10
const CREATION = { original_url: 'https://example.com/' }
const PATHS = ['/api/links', '/api/links/other', '/api/analytics/overview', '/api/info/other']

let postgres: PostgresServer
let folder: OperatedFolder
let server: ServerProcess

describe.skipIf(isMissing)('while PostgreSQL does not respond', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    folder = await operateFolder(folders.make(), { DATABASE_URL: await postgres.makeDatabase() })
    server = await ServerProcess.start(folder.settings)
    await folder.makeLinks(['known', 'other'])
    expect((await open('known')).status).toBe(302)
  })

  afterAll(async () => {
    await server.stop()
    await postgres.remove()
    folders.remove()
  })

  test('because it hangs, everything is answered, and works again when it does', async () => {
    postgres.freeze()
    expect(await askForAll()).toEqual(new Set([REFUSED]))
    // From now on nothing waits for it any more.
    expect(await askForAll()).toEqual(new Set([REFUSED]))
    expect(await open('known')).toMatchObject({ status: 302 })
    expect(await health()).toBe('degraded')
    postgres.thaw()
    await expectAllWell()
    await eventually(complaints, (lines) => lines.some(({ message }) => message.endsWith('used again.')))
    // Two lines for each thread that noticed it, however many requests failed.
    expect(complaints().filter(({ thread }) => thread === 'api')).toMatchObject([
      { ...BEGUN, thread: 'api', level: 'error', message: expect.stringContaining('cannot be used') },
      { ...OVER, thread: 'api', level: 'warn', message: 'The database can be used again.' },
    ])
    expect(complaints().filter(({ thread }) => thread === 'redirect')).toMatchObject([
      { ...BEGUN, thread: 'redirect', level: 'error', message: 'The database does not respond.' },
      { ...OVER, thread: 'redirect', level: 'warn', message: 'The database is reachable again.' },
    ])
    expect(complaints().length).toBeLessThanOrEqual(6)
    expect(await errorsCounted()).toBeGreaterThan(ALARM_ERRORS)
  })

  test('because it holds a table locked, everything is answered, and works again when it does not', async () => {
    const other = new SQL(folder.settings.DATABASE_URL!, { max: 1 })
    const holder = await other.reserve()
    await holder.unsafe('BEGIN')
    await holder.unsafe('LOCK TABLE links IN ACCESS EXCLUSIVE MODE')
    expect(await askForAll()).toEqual(new Set([REFUSED]))
    await holder.unsafe('ROLLBACK')
    holder.release()
    await other.close()
    await expectAllWell()
  })
})

const BEGUN = { time: expect.any(String), error: expect.any(String) }
const OVER = { time: expect.any(String), seconds: expect.any(Number), failures: expect.any(Number) }
/** The alarm TernStoreUnreachable goes off above it (deploy/prometheus-alarms.yml). */
const ALARM_ERRORS = 5

type Line = { level: string; thread: string; message: string }

const complaints = (): Line[] =>
  server.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

async function errorsCounted(): Promise<number> {
  const families = parsePrometheusText((await folder.api('GET', '/metrics')).body)
  const { samples } = families.get('tern_store_errors_total')!
  return samples.reduce((sum, { value }) => sum + value, 0)
}

const REFUSED = '503, try again in 5 s'

/** How calls of all kinds are answered that need the database, many at a time. */
async function askForAll(): Promise<Set<string>> {
  const calls = Array.from({ length: TIMES }, () => [
    ...PATHS.map((path) => folder.api('GET', path)),
    folder.api('POST', '/api/links', CREATION),
    open(crypto.randomUUID().slice(0, 8)),
  ])
  const answers = await Promise.all(calls.flat())
  return new Set(answers.map(({ status, headers }) => `${status}, try again in ${headers['retry-after']} s`))
}

async function expectAllWell(): Promise<void> {
  const made = () => folder.api('POST', '/api/links', CREATION)
  expect((await eventually(made, ({ status }) => status === 201)).status).toBe(201)
  expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
  for (const path of PATHS) expect((await folder.api('GET', path)).status).toBe(200)
}

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
