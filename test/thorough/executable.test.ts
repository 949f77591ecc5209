import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildExecutable, programFiles } from '../../build/build-executable.ts'
import { configTable } from '../../src/config/config-table.ts'
import { readConfig } from '../../src/config/config.ts'
import { ClickStoreRig } from '../rigs/clicks/click-store-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { freePort } from '../rigs/free-port.ts'
import { lacksPostgres, PostgresServer } from '../rigs/store/postgres-server.ts'
import {
  PROGRAM_VARIABLE,
  runTern,
  ServerProcess,
  type Settings,
  type Surroundings,
} from '../rigs/program/server-process.ts'
import { isTest, readSourceFiles, target } from '../source-files.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-executable-'))
const alone = join(folder, 'alone')
const executable = { path: join(alone, 'tern'), folder: alone }

beforeAll(buildOnce)

afterAll(() => rmSync(folder, { recursive: true }))

test('every thread that the program starts is built into the executable', async () => {
  const files = (await readSourceFiles(dirname(dirname(import.meta.dir)))).filter(({ path }) => !isTest(path))
  const started = files.flatMap((file) =>
    file.imports.filter(({ kind }) => kind === 'worker').map((each) => ({ file, each })),
  )
  const threads = new Set(started.map(({ file, each }) => target(file, each)!))
  expect(threads.size).toBeGreaterThan(2)
  expect(programFiles()).toEqual(['src/cli/main.ts', ...[...threads].sort()])
  for (const { each } of started) expect(each.from).toMatch(/^\.\/[^/]+$/)
})

test('DuckDB is built into the executable, which writes its library once', async () => {
  const rig = await ClickStoreRig.open(join(folder, 'engine'))
  rig.engine = rig.newEngine({ command: [executable.path, 'click-engine', rig.dataDir] })
  const cache = join(rig.folder, 'duckdb.cache')
  mkdirSync(join(cache, '0.1.0'), { recursive: true })
  rig.add([{}, {}])
  expect(await rig.total()).toBe(2)
  const library = () =>
    readdirSync(cache).map((version) => statSync(join(cache, version, 'duckdb.node')).mtimeMs)
  const written = library()
  expect(written).toHaveLength(1)
  await rig.engine.close()
  await rig.closeUpTo()
  expect(await rig.total()).toBe(2)
  expect(library()).toEqual(written)
  await rig.close()
})

type Form = { command: string; surroundings: Surroundings }
const FORMS: [name: string, form: Form][] = [
  ['from source', { command: 'npm run --silent tern --', surroundings: { program: 'from source' } }],
  ['as one executable', { command: 'tern', surroundings: { program: executable } }],
]

describe.each(FORMS)('the program %s', (name, { command, surroundings }) => {
  const port = freePort()
  const url = `http://localhost:${port}`
  const settings: Settings = {
    DATA_DIR: join(folder, name, 'data'),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: 'loopback',
  }
  const tern = (...words: string[]) => runTern(words, settings, surroundings)
  /** What it prints; it must have nothing to complain about. */
  const succeed = async (...words: string[]) => {
    const { exitCode, output, complaints } = await tern(...words)
    expect([exitCode, complaints]).toEqual([0, ''])
    return output.trim()
  }
  const get = (path: string, headers: Record<string, string> = {}) => documentedFetch(url + path, { headers })
  const api = async (path: string) => (await (await get(path, { 'X-API-Key': key })).json()) as any
  const dashboard = (path: string, body: unknown, cookie = '') =>
    documentedFetch(`${url}/dashboard/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      body: JSON.stringify(body),
    })
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    server = await ServerProcess.start(settings, surroundings)
  })
  afterAll(() => server.kill())

  test('prints its settings', async () => {
    expect(await succeed('config')).toBe(configTable(readConfig(settings), settings).trimEnd())
  })

  test('responds, and says how its operator gets started', async () => {
    expect(server.output).toContain(`Tern is listening on ${url}`)
    expect(server.output).toContain(`\n  ${command} account create you@example.com`)
    expect(await succeed('health')).toBe('ok')
  })

  test('creates an account and a key while it runs', async () => {
    await succeed('account', 'create', EMAIL, '--name', 'Ann', '--password', PASSWORD, '--verified')
    key = await succeed('key', 'create', EMAIL, '--name', 'Key')
    expect(key).toStartWith('tern_')
  })

  test('creates a link, redirects, and counts the click with its country', async () => {
    const made = await documentedFetch(`${url}/api/links`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ original_url: 'https://example.com/launch', custom_code: 'launch' }),
    })
    expect(made.status).toBe(201)
    const opened = await get('/launch', { 'X-Forwarded-For': AMERICAN_IP, 'User-Agent': 'curl/8.5.0' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, 'https://example.com/launch'])
    const analytics = () => api('/api/analytics/links/launch?timezone=Asia/Tokyo')
    const { data } = await eventually(analytics, (answer) => answer.data.total_clicks === 1)
    expect(data).toMatchObject({ total_clicks: 1, unique_visitors: 1 })
    expect(data.countries[0]).toMatchObject({ country_code: 'US', country: 'United States', clicks: 1 })
    expect(data.browsers[0].browser).toBe('curl')
    expect((await api('/api/links?search=LAUNCH')).data).toHaveLength(1)
  })

  test('serves its pages with everything they load', async () => {
    for (const path of ['/', '/docs', '/dashboard', '/dashboard/links']) {
      const page = await get(path, { Accept: 'text/html' })
      expect([path, page.status]).toEqual([path, 200])
      const loaded = [...(await page.text()).matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+)"/g)]
      expect(loaded).not.toBeEmpty()
      for (const [, file] of loaded) {
        const answer = await get(file!)
        expect([file, answer.status, (await answer.bytes()).length > 0]).toEqual([file, 200, true])
      }
    }
    expect(await (await get('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
  })

  test('draws QR codes', async () => {
    expect(await (await get('/qr/launch')).text()).toStartWith('<svg ')
    expect(
      Buffer.from(await (await get('/qr/launch?format=png')).bytes())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  test('contains what is loaded on demand: email, passkeys, authenticator apps', async () => {
    const asked = await dashboard('/forgot-password', { email: EMAIL })
    expect(asked.status).toBe(200)
    const outbox = join(settings.DATA_DIR!, 'outbox')
    const mails = async () =>
      (existsSync(outbox) ? readdirSync(outbox) : []).filter((each) => each.endsWith('.eml'))
    expect(await eventually(mails, ({ length }) => length > 0)).toHaveLength(1)
    const options = (await (await dashboard('/session/passkey/options', {})).json()) as any
    expect(options.data).toMatchObject({ challenge: expect.any(String) })
    const signedIn = await dashboard('/session', { email: EMAIL, password: PASSWORD })
    const [cookie] = signedIn.headers.getSetCookie()[0]!.split(';')
    const begun = (await (await dashboard('/two-factor', { password: PASSWORD }, cookie)).json()) as any
    expect(begun.data.uri).toStartWith('otpauth://totp/')
  })

  test('exposes its metrics and its version', async () => {
    expect(await (await get('/metrics')).text()).toMatch(/^tern_build_info\{version="[\d.]+"\} 1$/m)
  })

  test('is checked by doctor and backed up while it runs', async () => {
    expect(await succeed('doctor')).toContain('database')
    expect(await succeed('recount', '--check')).not.toBe('')
    await succeed('backup', join(folder, name, 'all.backup'))
  })

  test('exits in order, and continues where it was', async () => {
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
    await succeed('restore', join(folder, name, 'all.backup'))
    server = await ServerProcess.start(settings, surroundings)
    expect((await get('/launch')).status).toBe(302)
    const counted = () => api('/api/links/launch')
    expect((await eventually(counted, ({ data }) => data.click_count === 2)).data.click_count).toBe(2)
    expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
  })
})

const hasNoPostgres = lacksPostgres('the executable on PostgreSQL')

describe.skipIf(hasNoPostgres).each(FORMS)(
  'several worker processes of the program %s',
  (name, { surroundings }) => {
    test('share a port and a database, and exit in order', async () => {
      const postgres = await PostgresServer.start()
      const settings: Settings = {
        DATABASE_URL: await postgres.makeDatabase(),
        DATA_DIR: join(folder, name, 'workers'),
        PORT: String(freePort()),
        LOG_LEVEL: 'warn',
      }
      const get = (path: string) => documentedFetch(`http://localhost:${settings.PORT}${path}`)
      const server = await ServerProcess.start(settings, { ...surroundings, options: ['--workers', '2'] })
      try {
        const words = ['account', 'create', EMAIL, '--name', 'Ann', '--password', PASSWORD, '--verified']
        expect(await runTern(words, settings, surroundings)).toMatchObject({ exitCode: 0, complaints: '' })
        for (const path of ['/', '/docs', '/dashboard', '/api/health'])
          expect([path, (await get(path)).status]).toEqual([path, 200])
        expect((await get('/nobody')).status).toBe(404)
        expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
      } finally {
        await server.kill()
        await postgres.remove()
      }
    })
  },
)

test('the executable leaves no files where it is started', () => {
  expect(readdirSync(alone).sort()).toEqual(['.env', 'bunfig.toml', 'tern'])
})

async function buildOnce(): Promise<void> {
  mkdirSync(alone)
  const built = process.env[PROGRAM_VARIABLE]
  if (built === undefined) await buildExecutable(executable.path)
  else copyFileSync(built, executable.path)
  // A program that read what lies in the folder where it is started would not start.
  writeFileSync(join(alone, '.env'), 'PORT=none')
  writeFileSync(join(alone, 'bunfig.toml'), 'preload = ["./missing.ts"]')
}

const EMAIL = 'ann@example.com'
const PASSWORD = 'correct horse battery'

/** From the country data that the program includes. */
const AMERICAN_IP = '8.8.8.8'
