import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore, type StoreLocation } from '../../../src/store/open-store.ts'
import { startSession } from '../../../src/users/sign-in/session.ts'
import { ClickStoreRig } from '../../rigs/clicks/click-store-rig.ts'
import { eventually, until } from '../../rigs/eventually.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { spawnTern } from '../../rigs/program/server-process.ts'
import { addTeam, expectTeamWorks, makeTeamLinks } from '../../rigs/service/team-in-folder.ts'
import { withoutCodeLog } from '../../rigs/store/move-rig.ts'
import type { PostgresServer } from '../../rigs/store/postgres-server.ts'
import { contentsOf } from '../../rigs/store/store-contents.ts'
import { testPostgres } from '../../rigs/store/test-store.ts'
import { expectClicksCounted, expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { startVisits } from '../driver/load.ts'
import { type Node, Tern } from '../driver/tern.ts'

describe.skipIf(lacks('moves between engines', 'postgresql'))('a move while the service runs', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = await testPostgres()
  })

  test('to PostgreSQL and back loses no click, link, key, session or code, and redirects all the time', async () => {
    await using tern = await Tern.start()
    const { sqlite, databaseUrl, onSqlite, onPostgres } = await places(tern)
    const rival = await asAnother(tern.operator, 'rival@example.com')
    await tern.makeLinks('deleted', 'off')
    expect(await status(tern, 'DELETE', '/api/links/deleted')).toBe(200)
    expect(await status(tern, 'POST', '/api/links/off/toggle')).toBe(200)
    const cookie = await signIn(tern)
    const load = await startVisits(tern)
    await load.continues()
    await closeClicks(tern)

    tern.nodes[0]!.settings = onPostgres
    const moving = move(tern, sqlite, 'DATABASE_URL')
    const refused = await eventually(
      () => tern.api('POST', '/api/links', { original_url: 'https://example.com/' }),
      (answer) => answer.status === 503,
    )
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, errors: {} })
    expect(await moving).toMatchObject({ step: 'finished', wasFinished: false, nodes: [] })
    await load.continues()
    expect(await claim(tern.operator, 'late')).toBe(503)
    expect(await tern.run(['serve'], { settings: onSqlite })).toMatchObject({ exitCode: 1 })
    await tern.stopAll()
    await expectMovedAway(tern, onSqlite)
    await tern.start()
    await load.continues()
    await load.stop()
    await expectClicksCounted(tern)
    expect(await isSignedIn(tern, cookie)).toBe(true)
    expect(await claim(rival, 'deleted')).toBe(422)
    expect(await status(tern, 'DELETE', '/api/trash/deleted')).toBe(200)
    expect(await claim(tern.operator, 'deleted')).toBe(201)
    expect(await claim(tern.operator, 'second-home')).toBe(201)
    expect(JSON.parse((await tern.api('GET', '/api/links/off')).body).data.is_active).toBe(false)

    const back = await startVisits(tern)
    await back.continues()
    tern.nodes[0]!.settings = onSqlite
    expect(await move(tern, databaseUrl, sqlite)).toMatchObject({ wasFinished: false, nodes: [] })
    await back.continues()
    expect(await claim(tern.operator, 'later')).toBe(503)
    await tern.stopAll()
    expect((await tern.run(['serve'], { settings: onPostgres })).complaints).toContain(
      'unset DATABASE_URL, with DATA_DIR',
    )
    await tern.start()
    await back.continues()
    expect(await isSignedIn(tern, cookie)).toBe(true)
    expect(await claim(rival, 'second-home')).toBe(422)
    const ids = [await idOf(tern, 'deleted'), await idOf(tern, 'second-home')]
    expect(await claim(tern.operator, 'third-home')).toBe(201)
    expect(await idOf(tern, 'third-home')).toBeGreaterThan(Math.max(...ids))
    await expectInvariants(tern)
  })

  test('to PostgreSQL and back has the same rows of a team, whose domain, member and restricted key work', async () => {
    await using tern = await new Tern().prepare()
    const { sqlite, databaseUrl, onSqlite, onPostgres } = await places(tern)
    const team = await addTeam(tern.operator)
    await tern.startAll()
    await makeTeamLinks(team)
    await tern.stopAll()
    const before = await rowsIn({ dataDir: tern.dataDir })
    const tables = ['domains', 'members', 'workspace_invitations', 'user_identities', 'audit_log', 'api_keys']
    for (const [table, rows] of before)
      if (tables.includes(table)) expect([table, rows.length > 0]).toEqual([table, true])

    await move(tern, sqlite, databaseUrl)
    expect(await rowsIn({ dataDir: '', databaseUrl })).toEqual(before)
    tern.nodes[0]!.settings = onPostgres
    await tern.startAll()
    await expectTeamWorks(team, 'moved')
    await tern.stopAll()

    const since = await rowsIn({ dataDir: '', databaseUrl })
    tern.nodes[0]!.settings = onSqlite
    await move(tern, databaseUrl, sqlite)
    expect(await rowsIn({ dataDir: tern.dataDir })).toEqual(since)
    await tern.startAll()
    await expectTeamWorks(team, 'back')
  })

  test('that is killed leaves a service that continues as before', async () => {
    await using tern = await Tern.start()
    const { sqlite, databaseUrl, onSqlite, onPostgres } = await places(tern)
    const load = await startVisits(tern)
    const words = ['store', 'move', '--from', sqlite, '--to', databaseUrl]
    for (const ms of [150, 300, 450, 600]) {
      const child = spawnTern(words, onSqlite)
      await Bun.sleep(ms)
      child.kill('SIGKILL')
      if ((await child.exited) === 0) break
      const claimed = await eventually(
        () => claim(tern.operator, `after-${ms}`),
        (answer) => answer !== 503,
      )
      expect(claimed).toBe(201)
    }
    expect(await tern.run(words)).toMatchObject({ exitCode: 0, complaints: '' })
    await tern.stopAll()
    tern.nodes[0]!.settings = onPostgres
    await tern.startAll()
    expect(await status(tern, 'GET', '/api/links/after-150')).toBe(200)
    await load.continues()
    await expectInvariants(tern)
  })

  test('to SQLite says whose journals are needed, and counts their clicks when they are there', async () => {
    await using tern = await new Tern({ settings: { NODE_NAME: 'node-a' } }).prepare()
    const { sqlite, databaseUrl, onPostgres } = await places(tern)
    await move(tern, sqlite, databaseUrl)
    tern.nodes[0]!.settings = onPostgres
    await tern.startAll()
    const load = await startVisits(tern)
    await load.continues()
    await until(async () => (await tern.operator.clickCounts(['first'])).get('first')! > 0)
    const elsewhere = tern.folders.make()
    const words = ['store', 'move', '--from', databaseUrl, '--to', `sqlite:${elsewhere}`]
    expect((await tern.run(words)).output).toContain(
      `Clicks of node-a may not be counted yet. Stop all other nodes and copy the files of their journal folders into ${elsewhere}/journal`,
    )
    await load.continues()
    await load.stop()
    await tern.stopAll()
    const filter = (path: string) => path.endsWith('journal')
    cpSync(join(tern.dataDir, 'journal'), join(elsewhere, 'journal'), { recursive: true, filter })
    const { DATABASE_URL: _, ...settings } = onPostgres
    tern.nodes[0]!.settings = { ...settings, DATA_DIR: elsewhere, NODE_NAME: 'node-b' }
    await tern.startAll()
    await expectClicksCounted(tern)
  })

  test('can be undone, as of its start, and signs everybody out', async () => {
    await using tern = await new Tern().prepare()
    const { sqlite, databaseUrl, onPostgres } = await places(tern)
    const cookie = await signIn(tern)
    await move(tern, sqlite, databaseUrl)
    expect(await tern.run(['store', 'reopen', databaseUrl])).toMatchObject({
      exitCode: 1,
      complaints: expect.stringContaining('was not moved away. Nothing was changed.'),
    })
    expect((await tern.run(['store', 'reopen', sqlite])).output).toContain('All users are signed out')
    await tern.startAll()
    expect(await claim(tern.operator, 'again')).toBe(201)
    expect(await isSignedIn(tern, cookie)).toBe(false)
    await tern.stopAll()
    // The other one is a separate store now.
    expect(await tern.run(['account', 'list'], { settings: onPostgres })).toMatchObject({ exitCode: 0 })
  })

  async function places(tern: Tern) {
    const onSqlite = { ...tern.nodes[0]!.settings, LOG_LEVEL: 'silent' }
    const databaseUrl = await postgres.makeDatabase()
    const onPostgres = { ...onSqlite, DATABASE_URL: databaseUrl }
    return { sqlite: `sqlite:${tern.dataDir}`, databaseUrl, onSqlite, onPostgres }
  }
})

async function move(tern: Tern, from: string, to: string): Promise<unknown> {
  const { exitCode, output, complaints } = await tern.run([
    'store',
    'move',
    '--from',
    from,
    '--to',
    to,
    '--json',
  ])
  expect([exitCode, complaints]).toEqual([0, ''])
  return JSON.parse(output.trim().split('\n').at(-1)!)
}

/** Moves those that are counted into files. */
async function closeClicks({ dataDir }: Tern): Promise<void> {
  const rig = await ClickStoreRig.open(dataDir)
  const lastId = async () => rig.database.query('SELECT max(id) FROM clicks').values()[0]![0] as number | null
  const id = await eventually(lastId, (each) => each !== null)
  expect(await rig.closeUpTo(id!)).not.toEqual([])
  await rig.close()
}

async function expectMovedAway(tern: Tern, settings: Node['settings']): Promise<void> {
  const complaintsOf = async (...words: string[]) => (await tern.run(words, { settings })).complaints
  expect(await complaintsOf('serve')).toContain('This store was moved to postgres://')
  expect(await complaintsOf('account', 'list')).toContain('set DATABASE_URL to it')
}

async function rowsIn(place: StoreLocation) {
  const { db, close } = await openStore(place, 'same-thread')
  const rows = await contentsOf(db)
  await close()
  return withoutCodeLog(rows)
}

async function status(tern: Tern, method: string, path: string): Promise<number> {
  return (await tern.api(method, path)).status
}

async function claim({ api }: OperatedFolder, code: string): Promise<number> {
  const link = { original_url: `https://example.com/${code}`, custom_code: code }
  return (await api('POST', '/api/links', link)).status
}

async function idOf(tern: Tern, code: string): Promise<number> {
  return JSON.parse((await tern.api('GET', `/api/links/${code}`)).body).data.id
}

async function signIn({ dataDir, operator: { userId } }: Tern): Promise<string> {
  const { db, close } = await openStore({ dataDir }, 'same-thread')
  const token = await startSession({ db, clock: systemClock }, { userId, device: 'Firefox' })
  await close()
  return `session=${token}`
}

async function isSignedIn({ operator: { port } }: Tern, cookie: string): Promise<boolean> {
  const { status: answer } = await documentedFetch(`http://127.0.0.1:${port}/dashboard/api/session`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
  return answer === 200
}
