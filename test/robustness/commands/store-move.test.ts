import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startSession } from '../../../src/users/sign-in/session.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, type PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess, spawnTern } from '../../rigs/program/server-process.ts'
import { withoutCodeLog } from '../../rigs/store/move-rig.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { contentsOf } from '../../rigs/store/store-contents.ts'
import { addTeam, expectTeamWorks, makeTeamLinks } from '../../rigs/service/team-in-folder.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { testEngine, testPostgres } from '../../rigs/store/test-store.ts'
import { skipBecause } from '../../skips.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'

setDefaultTimeout(120_000)

const isMissing =
  findPostgres() === undefined && skipBecause('moves between engines', 'apt-get install postgresql')
const CODES = ['first', 'second', 'third']

const folders = temporaryFolders()
let postgres: PostgresServer
let server: ServerProcess | undefined

/** It begins on SQLite whichever engine the other suites are on. */
const isTwice = testEngine !== 'sqlite'

type Stage = { folder: OperatedFolder; databaseUrl: string; onPostgres: OperatedFolder['settings'] }

async function stage(): Promise<Stage> {
  const folder = await operateFolder(folders.make(), { LOG_LEVEL: 'silent' })
  const databaseUrl = await postgres.makeDatabase()
  return { folder, databaseUrl, onPostgres: { ...folder.settings, DATABASE_URL: databaseUrl } }
}

const serve = async (settings: OperatedFolder['settings']) => (server = await ServerProcess.start(settings))

const visit = (folder: OperatedFolder, seed: number) =>
  new ClickLoad({ port: folder.port, clients: 4, codes: CODES, random: seededRandom(seed) })

const isUnderWay = (load: ClickLoad, count: number) =>
  eventually(
    async () => sumOf(load.tally.acknowledged),
    (acknowledged) => acknowledged >= count,
  )

const newLink = (code: string) => ({ original_url: `https://example.com/${code}`, custom_code: code })

const statusOf = async (folder: OperatedFolder, method: string, path: string, body?: unknown) =>
  (await folder.api(method, path, body)).status

/** At least every redirect that was received, and at most every request that was sent. */
async function expectCounted(folder: OperatedFolder, tallies: LoadTally[]): Promise<void> {
  const sum = (of: 'acknowledged' | 'sent', code: string) =>
    tallies.reduce((total, tally) => total + (tally[of].get(code) ?? 0), 0)
  const all = tallies.reduce((total, { acknowledged }) => total + sumOf(acknowledged), 0)
  const counts = await eventually(
    () => folder.clickCounts(CODES).catch(() => new Map<string, number>()),
    (found) => sumOf(found) >= all,
  )
  for (const code of CODES) {
    expect(counts.get(code)).toBeGreaterThanOrEqual(sum('acknowledged', code))
    expect(counts.get(code)).toBeLessThanOrEqual(sum('sent', code))
  }
  for (const { statuses } of tallies) expect([...statuses]).toEqual([])
}

async function move(words: string[], settings: OperatedFolder['settings']) {
  const { exitCode, output, complaints } = await runTern(['store', 'move', ...words, '--json'], settings)
  expect([exitCode, complaints]).toEqual([0, ''])
  return JSON.parse(output.trim().split('\n').at(-1)!)
}

describe.skipIf(isMissing || isTwice)('a move while the service runs', () => {
  beforeAll(async () => {
    postgres = await testPostgres()
  })
  afterEach(async () => {
    await server?.kill()
    server = undefined
  })
  afterAll(folders.remove)

  test('to PostgreSQL and back loses no click, link, key, session or code, and redirects all the time', async () => {
    const { folder, databaseUrl, onPostgres } = await stage()
    const rival = await asAnother(folder, 'rival@example.com')
    const sqlite = `sqlite:${folder.settings.DATA_DIR}`
    await serve(folder.settings)
    await folder.makeLinks([...CODES, 'deleted', 'off'])
    expect(await statusOf(folder, 'DELETE', '/api/links/deleted')).toBe(200)
    expect(await statusOf(folder, 'POST', '/api/links/off/toggle')).toBe(200)
    const cookie = await signIn(folder)
    const load = visit(folder, 1)
    await isUnderWay(load, 500)

    const moving = move(['--from', sqlite, '--to', 'DATABASE_URL'], onPostgres)
    const refused = await eventually(
      () => folder.api('POST', '/api/links', { original_url: 'https://example.com/' }),
      ({ status }) => status === 503,
    )
    expect(refused.headers['retry-after']).toBe('5')
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, errors: {} })
    expect(await moving).toMatchObject({ step: 'finished', wasFinished: false, nodes: [] })
    const during = sumOf(load.tally.acknowledged)
    await isUnderWay(load, during + 500)
    expect(await statusOf(folder, 'POST', '/api/links', newLink('late'))).toBe(503)
    expect(await runTern(['serve'], folder.settings)).toMatchObject({ exitCode: 1 })

    expect((await server!.stop()).exitCode).toBe(0)
    expect((await runTern(['serve'], folder.settings)).complaints).toContain(
      'This store was moved to postgres://',
    )
    expect((await runTern(['account', 'list'], folder.settings)).complaints).toContain(
      'set DATABASE_URL to it',
    )
    await serve(onPostgres)
    await isUnderWay(load, during + 1_000)
    const tallies = [await load.stop()]
    await expectCounted(folder, tallies)
    expect(await isSignedIn(folder, cookie)).toBe(true)
    expect(await statusOf(rival, 'POST', '/api/links', newLink('deleted'))).toBe(422)
    expect(await statusOf(folder, 'DELETE', '/api/trash/deleted')).toBe(200)
    expect(await statusOf(folder, 'POST', '/api/links', newLink('deleted'))).toBe(201)
    expect(await statusOf(folder, 'POST', '/api/links', newLink('second-home'))).toBe(201)
    expect(JSON.parse((await folder.api('GET', '/api/links/off')).body).data.is_active).toBe(false)

    const back = visit(folder, 2)
    await isUnderWay(back, 500)
    expect(await move(['--from', databaseUrl, '--to', sqlite], folder.settings)).toMatchObject({
      wasFinished: false,
      nodes: [],
    })
    await isUnderWay(back, 1_000)
    expect(await statusOf(folder, 'POST', '/api/links', newLink('later'))).toBe(503)
    expect((await server!.stop()).exitCode).toBe(0)
    expect((await runTern(['serve'], onPostgres)).complaints).toContain('unset DATABASE_URL, with DATA_DIR')
    await serve(folder.settings)
    await isUnderWay(back, 1_500)
    tallies.push(await back.stop())
    await expectCounted(folder, tallies)
    expect(await isSignedIn(folder, cookie)).toBe(true)
    expect(await statusOf(rival, 'POST', '/api/links', newLink('second-home'))).toBe(422)
    const ids = await idsOf(folder, ['deleted', 'second-home'])
    expect(await statusOf(folder, 'POST', '/api/links', newLink('third-home'))).toBe(201)
    expect((await idsOf(folder, ['third-home']))[0]!).toBeGreaterThan(Math.max(...ids))
    expect((await server!.stop()).exitCode).toBe(0)
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
    expect(await runTern(['recount', '--check'], folder.settings)).toMatchObject({ exitCode: 0 })
  })

  test('to PostgreSQL and back has the same rows of a team, whose domain, member and restricted key work', async () => {
    const { folder, databaseUrl, onPostgres } = await stage()
    const sqlite = `sqlite:${folder.settings.DATA_DIR}`
    const team = await addTeam(folder)
    await serve(folder.settings)
    await makeTeamLinks(team)
    await server!.stop()
    const there = { dataDir: '', databaseUrl }
    const here = { dataDir: folder.settings.DATA_DIR }
    const rowsIn = async (place: { dataDir: string; databaseUrl?: string }) => {
      const { db, close } = await openStore(place, 'same-thread')
      const rows = await contentsOf(db)
      await close()
      return withoutCodeLog(rows)
    }
    const before = await rowsIn(here)
    const tables = ['domains', 'members', 'workspace_invitations', 'user_identities', 'audit_log', 'api_keys']
    for (const [table, rows] of before)
      if (tables.includes(table)) expect([table, rows.length > 0]).toEqual([table, true])

    await move(['--from', sqlite, '--to', databaseUrl], folder.settings)
    expect(await rowsIn(there)).toEqual(before)
    await serve(onPostgres)
    await expectTeamWorks(team, 'moved')
    await server!.stop()

    const since = await rowsIn(there)
    await move(['--from', databaseUrl, '--to', sqlite], folder.settings)
    expect(await rowsIn(here)).toEqual(since)
    await serve(folder.settings)
    await expectTeamWorks(team, 'back')
  })

  test('that is killed leaves a service that continues as before', async () => {
    const { folder, databaseUrl, onPostgres } = await stage()
    const words = ['store', 'move', '--from', `sqlite:${folder.settings.DATA_DIR}`, '--to', databaseUrl]
    await serve(folder.settings)
    await folder.makeLinks(CODES)
    const load = visit(folder, 3)
    for (const ms of [150, 300, 450, 600]) {
      const child = spawnTern(words, folder.settings)
      await Bun.sleep(ms)
      child.kill('SIGKILL')
      if ((await child.exited) === 0) break
      expect(
        await eventually(
          () => statusOf(folder, 'POST', '/api/links', newLink(`after-${ms}`)),
          (status) => status !== 503,
        ),
      ).toBe(201)
    }
    expect(await runTern(words, folder.settings)).toMatchObject({ exitCode: 0, complaints: '' })
    expect((await server!.stop()).exitCode).toBe(0)
    await serve(onPostgres)
    expect(await statusOf(folder, 'GET', '/api/links/after-150')).toBe(200)
    await isUnderWay(load, sumOf(load.tally.acknowledged) + 100)
    await expectCounted(folder, [await load.stop()])
  })

  test('to SQLite says whose journals are needed, and counts their clicks when they are there', async () => {
    const { folder, databaseUrl, onPostgres } = await stage()
    await move(['--from', `sqlite:${folder.settings.DATA_DIR}`, '--to', databaseUrl], folder.settings)
    await serve({ ...onPostgres, NODE_NAME: 'node-a' })
    await folder.makeLinks(CODES)
    const load = visit(folder, 4)
    await isUnderWay(load, 300)
    await eventually(
      () => folder.clickCounts(CODES),
      (counts) => sumOf(counts) > 0,
    )
    const sqlite = folders.make()
    const { output } = await runTern(
      ['store', 'move', '--from', databaseUrl, '--to', `sqlite:${sqlite}`],
      folder.settings,
    )
    expect(output).toContain(
      `Clicks of node-a may not be counted yet. Stop all other nodes and copy the files of their journal folders into ${sqlite}/journal`,
    )
    await isUnderWay(load, sumOf(load.tally.acknowledged) + 300)
    const tally = await load.stop()
    await server!.stop()
    const copied = Bun.spawnSync([
      'sh',
      '-c',
      `mkdir -p ${sqlite}/journal && cp ${folder.settings.DATA_DIR}/journal/*.journal ${sqlite}/journal/`,
    ])
    expect(copied.exitCode).toBe(0)
    await serve({ ...folder.settings, DATA_DIR: sqlite, NODE_NAME: 'node-b' })
    await expectCounted(folder, [tally])
  })

  test('can be undone, as of its start, and signs everybody out', async () => {
    const { folder, databaseUrl, onPostgres } = await stage()
    const { DATA_DIR: dataDir } = folder.settings
    const cookie = await signIn(folder)
    await move(['--from', `sqlite:${dataDir}`, '--to', databaseUrl], folder.settings)
    expect(await runTern(['store', 'reopen', databaseUrl], folder.settings)).toMatchObject({
      exitCode: 1,
      complaints: expect.stringContaining('was not moved away. Nothing was changed.'),
    })
    const { output } = await runTern(['store', 'reopen', `sqlite:${dataDir}`], folder.settings)
    expect(output).toContain('All users are signed out')
    await serve(folder.settings)
    expect(await statusOf(folder, 'POST', '/api/links', newLink('again'))).toBe(201)
    expect(await isSignedIn(folder, cookie)).toBe(false)
    expect((await server!.stop()).exitCode).toBe(0)
    // The other one is a separate store now.
    expect(await runTern(['account', 'list'], onPostgres)).toMatchObject({ exitCode: 0 })
  })
})

async function signIn({ settings, userId }: OperatedFolder): Promise<string> {
  const store = await openStore({ dataDir: settings.DATA_DIR }, 'same-thread')
  const token = await startSession({ db: store.db, clock: systemClock }, { userId, device: 'Firefox' })
  await store.close()
  return `session=${token}`
}

async function isSignedIn({ port }: OperatedFolder, cookie: string): Promise<boolean> {
  const { status } = await documentedFetch(`http://127.0.0.1:${port}/dashboard/api/session`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
  return status === 200
}

async function idsOf(folder: OperatedFolder, codes: string[]): Promise<number[]> {
  const found = await Promise.all(codes.map((code) => folder.api('GET', `/api/links/${code}`)))
  return found.map(({ body }) => JSON.parse(body).data.id)
}
