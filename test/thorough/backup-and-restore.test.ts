import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SIGN_IN_TABLES } from '../../src/backups/end-sign-ins.ts'
import { journalFolder } from '../../src/clicks/journal/open-journal.ts'
import { clicksFolder, openSqliteStore, storePath } from '../../src/store/sqlite/open-sqlite-store.ts'
import { ClickStoreRig } from '../rigs/clicks/click-store-rig.ts'
import { until } from '../rigs/eventually.ts'
import { asAnother } from '../rigs/program/operated-folder.ts'
import { spawnTern } from '../rigs/program/server-process.ts'
import { withoutCodeLog } from '../rigs/store/move-rig.ts'
import { contradictions } from '../rigs/store/store-agreement.ts'
import { contentsOf } from '../rigs/store/store-contents.ts'
import { addTeam, expectTeamWorks, makeTeamLinks } from '../rigs/service/team-in-folder.ts'
import { killNode } from '../robustness/driver/faults.ts'
import { expectClicksCounted } from '../robustness/driver/invariants.ts'
import { startLoad, startVisits } from '../robustness/driver/load.ts'
import { Tern } from '../robustness/driver/tern.ts'

const CODES = ['first', 'second', 'third']

test('a backup made under load is restored into an empty folder as the same database', async () => {
  await using tern = await Tern.start()
  const load = await startLoad(tern)
  const { records } = load.clients!
  // Every one that is acknowledged, and nobody deletes them.
  const made = () => [...records.titles.operations.keys()]
  await until(() => load.redirects >= 50 && made().length >= 20)
  const kept = made()
  const file = await backUp(tern)
  await load.stop()
  expect(records.odd).toEqual([])
  await tern.stopAll()

  const copy = new Database(file, { readonly: true })
  const inBackup = copy.query('SELECT code FROM links ORDER BY code').values().flat()
  copy.close()
  expect(inBackup).toEqual(expect.arrayContaining(kept))
  moveElsewhere(tern)
  const restored = await restore(tern, file)
  expect(restored.manifest.links).toBe(inBackup.length)
  const store = new Database(storePath(tern.dataDir), { readonly: true })
  expect(store.query('SELECT code FROM links ORDER BY code').values().flat()).toEqual(inBackup)
  store.close()
  await tern.start()
  expect((await tern.api('GET', '/code-0')).status).toBe(302)
})

test('a restored team has its domain, members and restricted keys, and nobody is signed in or invited', async () => {
  await using tern = await new Tern().prepare()
  const team = await addTeam(tern.operator)
  await tern.startAll()
  await makeTeamLinks(team)
  await tern.stopAll()
  const file = await backUp(tern)
  const before = await rowsIn(tern.dataDir)
  moveElsewhere(tern)
  await restore(tern, file)
  expect(await rowsIn(tern.dataDir)).toEqual(
    before.map(([table, rows]) => [table, SIGN_IN_TABLES.includes(table) ? [] : rows]),
  )
  await tern.startAll()
  await expectTeamWorks(team, 'restored')
})

async function rowsIn(dataDir: string) {
  const { db, close } = await openSqliteStore(dataDir, 'same-thread')
  const rows = await contentsOf(db)
  await close()
  return withoutCodeLog(rows)
}

test('after an older backup is restored every click is counted once, and later codes and IDs are not reused', async () => {
  await using tern = await Tern.start({ settings: { JOURNAL_SEGMENT_BYTES: '64KiB' } })
  const rival = await asAnother(tern.operator, 'rival@example.com')
  const before = await visit(tern, 300)
  const file = await backUp(tern)
  const newcomer = await asAnother(tern.operator, 'newcomer@example.com')
  await newcomer.makeLinks(['newcomers'])
  const since = (await visit(tern, 1_500)) + (await visit(tern, 500, ['late', 'later']))
  expect((await newcomer.api('GET', '/newcomers')).status).toBe(302)
  const { id } = JSON.parse((await newcomer.api('GET', '/api/links/newcomers')).body).data
  await killNode(tern)
  expect(await closeClicks(tern.dataDir)).toHaveLength(1)

  expect(await restore(tern, file)).toMatchObject({
    codesBlocked: 3,
    journal: { missing: 0, surplus: 0, journaled: before + since + 1 },
  })
  await tern.startAll()
  await expectClicksCounted(tern, CODES)
  for (const code of ['late', 'later', 'newcomers']) {
    expect((await tern.api('GET', `/${code}`)).status).toBe(404)
    const body = { original_url: 'https://example.com/', custom_code: code }
    const refused = await rival.api('POST', '/api/links', body)
    expect([code, refused.status]).toEqual([code, 422])
    expect(JSON.parse(refused.body).errors.custom_code).toEqual(['The custom code has already been taken.'])
  }
  // Its own account may have it again, as a deleted link's: a new link, without the old clicks.
  await tern.operator.makeLinks(['late'])
  const again = JSON.parse((await tern.api('GET', '/api/links/late')).body).data
  expect(again.id).toBeGreaterThan(id)
  expect(again.click_count).toBe(0)
  // The next account must not be taken for the lost one.
  const next = await asAnother(tern.operator, 'next@example.com')
  expect(next.workspaceId).toBeGreaterThan(newcomer.workspaceId)
  await tern.stopAll()
  expect(await contradictions(tern.dataDir)).toEqual([])
})

test('clicks in files are restored with the database, and everything else is if one is missing', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks(...CODES)
  await visit(tern, 60)
  await tern.stopAll()
  const [name] = await closeClicks(tern.dataDir)
  const file = await backUp(tern)
  moveElsewhere(tern)
  await restore(tern, file)
  const path = join(clicksFolder(tern.dataDir), name!)
  expect(existsSync(path)).toBe(true)
  await tern.startAll()
  await expectClicksCounted(tern)
  await tern.stopAll()
  expect(await contradictions(tern.dataDir)).toEqual([])

  rmSync(path)
  const incomplete = join(tern.folders.make(), 'tern.backup')
  expect(await tern.run(['backup', incomplete])).toMatchObject({
    exitCode: 0,
    complaints: `The backup lacks clicks: ${name} could not be read. Run tern doctor.\n`,
  })
  const doctor = await tern.run(['doctor'])
  expect([doctor.exitCode, doctor.output]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`^fault    click files: ${name} \\(\\d+ rows of clicks, of .+ is missing`, 'm'),
    ),
  ])
  moveElsewhere(tern)
  const { exitCode, output } = await tern.run(['restore', incomplete])
  expect([exitCode, output]).toEqual([
    0,
    expect.stringContaining(`The backup lacks the clicks of ${name}.\n`),
  ])
})

test('putting an older tern.db in place by hand blocks the codes as well, before an account is made', async () => {
  await using tern = await new Tern().prepare()
  const { dataDir } = tern
  const file = await backUp(tern)
  await tern.startAll()
  const newcomer = await asAnother(tern.operator, 'newcomer@example.com')
  await newcomer.makeLinks(['newcomers'])
  await tern.stopAll()
  for (const name of readdirSync(dataDir)) if (name.startsWith('tern.db')) rmSync(join(dataDir, name))
  renameSync(file, storePath(dataDir))
  const words = ['account', 'create', 'x@example.com', '--name', 'x', '--password', 'correct horse battery']
  const { output } = await tern.run([...words, '--json'])
  expect(JSON.parse(output).workspace_id).toBeGreaterThan(newcomer.workspaceId)
  await tern.startAll()
  expect((await newcomer.api('GET', '/newcomers')).status).toBe(404)
  await tern.makeLinks(...CODES)
  await tern.stopAll()
  expect(await contradictions(dataDir)).toEqual([])
  // It is a database like any other, that can be backed up in its turn.
  await restore(tern, await backUp(tern))
})

test('segments that are in the trash by then are restored and counted', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks(...CODES)
  const file = await backUp(tern)
  const clicks = await visit(tern, 200)
  await tern.stopAll()
  const journal = journalFolder(tern.dataDir)
  const segments = readdirSync(journal).filter((name) => name.endsWith('.journal'))
  mkdirSync(join(journal, 'trash'), { recursive: true })
  for (const name of segments) renameSync(join(journal, name), join(journal, 'trash', `1-${name}`))
  expect(await restore(tern, file)).toMatchObject({
    segmentsTakenBack: segments.length,
    journal: { waiting: clicks, missing: 0 },
  })
  await tern.startAll()
  await expectClicksCounted(tern)
})

test('what the journal no longer holds is reported in exact numbers', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks(...CODES)
  const file = await backUp(tern)
  const lost = await visit(tern, 200)
  await tern.stopAll()
  const journal = journalFolder(tern.dataDir)
  const first = readdirSync(journal).filter((name) => name.endsWith('.journal'))
  await tern.startAll()
  const kept = await visit(tern, 100)
  await tern.stopAll()
  for (const name of first) rmSync(join(journal, name))
  expect(await restore(tern, file)).toMatchObject({
    journal: { missing: lost, waiting: kept },
  })
})

test('without its journal a backup reports how many clicks at least are missing', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks(...CODES)
  const clicks = await visit(tern, 100)
  await killNode(tern)
  const store = await openSqliteStore(tern.dataDir, 'same-thread')
  const { counted } = await store.db
    .selectFrom('journal_segments')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('clicks'), eb.lit(0)).as('counted'))
    .executeTakeFirstOrThrow()
  await store.close()
  const file = await backUp(tern)
  moveElsewhere(tern)
  const { output } = await tern.run(['restore', file])
  expect(output).toContain(
    Number(counted) === clicks
      ? 'Missing clicks: 0.'
      : `Missing clicks: at least ${clicks - Number(counted)};`,
  )
})

test('on a new machine, without the journal, nothing is reported missing that the backup has counted', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks(...CODES)
  const first = await visit(tern, 60)
  await tern.stopAll()
  const file = await backUp(tern)
  moveElsewhere(tern)
  const { output } = await tern.run(['restore', file])
  expect(output).toContain(`${first} clicks.`)
  expect(output).toContain('Missing clicks: 0.')
  // The new machine starts its own journal, and its backup includes both.
  await tern.startAll()
  const all = first + (await visit(tern, 40))
  await tern.stopAll()
  const again = await backUp(tern)
  moveElsewhere(tern)
  expect(await restore(tern, again)).toMatchObject({
    manifest: { clicksCounted: all, clicksJournaled: all },
    clicksMissing: 0,
  })
})

test('a restore beside a running server is refused with the name of the holder, and nothing changes', async () => {
  await using tern = await Tern.start()
  const file = await backUp(tern)
  await tern.makeLinks(...CODES)
  const { exitCode, complaints } = await tern.run(['restore', file])
  expect([exitCode, complaints]).toEqual([
    1,
    expect.stringContaining(`is in use by process ${tern.nodes[0]!.server!.pid}`),
  ])
  expect((await tern.api('GET', '/first')).status).toBe(302)
})

test('nothing runs on a folder whose restore was interrupted until it is restored', async () => {
  await using tern = await new Tern().prepare()
  const file = await backUp(tern)
  const { dataDir } = tern
  writeFileSync(join(dataDir, 'restore.unfinished'), 'replaced/then\n')
  mkdirSync(join(dataDir, 'replaced', 'then'), { recursive: true })
  renameSync(storePath(dataDir), join(dataDir, 'replaced', 'then', 'tern.db'))
  for (const words of [['serve'], ['account', 'list'], ['backup', `${file}2`], ['recount', '--check']]) {
    const { exitCode, complaints } = await tern.run(words)
    expect([exitCode, complaints]).toEqual([1, expect.stringContaining('Run tern restore again')])
    expect(existsSync(storePath(dataDir))).toBe(false)
  }
  await restore(tern, file)
  expect((await tern.run(['account', 'list'])).exitCode).toBe(0)
})

test('a backup that is killed leaves no file of its name, and the next one cleans up behind it', async () => {
  await using tern = await Tern.start()
  const links = Array.from({ length: 100 }, () => ({
    original_url: `https://example.com/${'x'.repeat(4000)}`,
  }))
  for (let i = 0; i < 20; i++) await tern.api('POST', '/api/bulk-shorten', { links })
  const into = tern.folders.make()
  const file = join(into, 'tern.backup')
  const child = spawnTern(['backup', file], tern.nodes[0]!.settings)
  while (readdirSync(into).length === 0 && child.exitCode === null) await Bun.sleep(0)
  child.kill('SIGKILL')
  await child.exited
  expect(existsSync(file)).toBe(false)
  const left = readdirSync(into)
  expect(left).not.toEqual([])
  // SQLite's own journal may lie beside it.
  for (const name of left) expect(name).toMatch(/^tern\.backup\.[0-9a-f-]{36}\.next(-journal)?$/)
  expect((await tern.run(['backup', join(into, 'another.backup')])).exitCode).toBe(0)
  expect(readdirSync(into)).toEqual(['another.backup'])
})

/** All that are counted. Returns the names of the files. */
async function closeClicks(dataDir: string): Promise<string[]> {
  const rig = await ClickStoreRig.open(dataDir)
  const [[lastId]] = rig.database.query('SELECT max(id) FROM clicks').values() as [[number]]
  const names = await rig.closeUpTo(lastId)
  await rig.close()
  return names
}

async function backUp(tern: Tern): Promise<string> {
  const file = join(tern.folders.make(), 'tern.backup')
  expect(await tern.run(['backup', file])).toMatchObject({ exitCode: 0, complaints: '' })
  return file
}

async function restore(tern: Tern, file: string) {
  const { exitCode, output, complaints } = await tern.run(['restore', file, '--json'])
  expect([exitCode, complaints]).toEqual([0, ''])
  return JSON.parse(output)
}

/** From now on it runs in an empty folder, as on a new machine. */
function moveElsewhere(tern: Tern): void {
  tern.nodes[0]!.settings.DATA_DIR = tern.folders.make()
}

/** Sends this number of visits. Returns the number of redirects. */
async function visit(tern: Tern, visitsMax: number, codes = CODES): Promise<number> {
  return (await (await startVisits(tern, { visitsMax, codes })).finished()).redirects
}
