import { Database } from 'bun:sqlite'
import { afterAll, afterEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SIGN_IN_TABLES } from '../../src/backups/end-sign-ins.ts'
import { journalFolder } from '../../src/clicks/journal/open-journal.ts'
import { openSqliteStore, storePath } from '../../src/store/sqlite/open-sqlite-store.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../rigs/program/click-load.ts'
import { eventually } from '../rigs/eventually.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../rigs/program/operated-folder.ts'
import { runTern, ServerProcess, spawnTern } from '../rigs/program/server-process.ts'
import { withoutCodeLog } from '../rigs/store/move-rig.ts'
import { contradictions } from '../rigs/store/store-agreement.ts'
import { contentsOf } from '../rigs/store/store-contents.ts'
import { addTeam, expectTeamWorks, makeTeamLinks } from '../rigs/service/team-in-folder.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { WriteLoad } from '../rigs/program/write-load.ts'

const CODES = ['first', 'second', 'third']

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  server = undefined
})
afterAll(folders.remove)

async function serve(folder: OperatedFolder): Promise<ServerProcess> {
  return (server = await ServerProcess.start(folder.settings))
}

async function backUp({ settings }: OperatedFolder): Promise<string> {
  const file = join(folders.make(), 'tern.backup')
  expect(await runTern(['backup', file], settings)).toMatchObject({ exitCode: 0, complaints: '' })
  return file
}

async function restore({ settings }: OperatedFolder, file: string) {
  const { exitCode, output, complaints } = await runTern(['restore', file, '--json'], settings)
  expect([exitCode, complaints]).toEqual([0, ''])
  return JSON.parse(output)
}

/** Sends this many clicks of visitors. */
async function click(
  { port }: OperatedFolder,
  codes: readonly string[],
  requestsMax: number,
): Promise<LoadTally> {
  const load = new ClickLoad({ port, clients: 4, codes, random: seededRandom(requestsMax), requestsMax })
  return load.finished
}

async function expectCounted(folder: OperatedFolder, tallies: LoadTally[]): Promise<void> {
  const sum = (of: 'acknowledged' | 'sent', code: string) =>
    tallies.reduce((total, tally) => total + (tally[of].get(code) ?? 0), 0)
  const acknowledged = CODES.reduce((total, code) => total + sum('acknowledged', code), 0)
  const counts = await eventually(
    () => folder.clickCounts(CODES),
    (each) => sumOf(each) >= acknowledged,
  )
  for (const code of CODES) {
    expect(counts.get(code)).toBeGreaterThanOrEqual(sum('acknowledged', code))
    expect(counts.get(code)).toBeLessThanOrEqual(sum('sent', code))
  }
}

test('a backup made under load is restored into an empty folder as the same database', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  await folder.makeLinks(CODES)
  const clicks = new ClickLoad({ port: folder.port, clients: 4, codes: CODES, random: seededRandom(1) })
  const writes = new WriteLoad({
    port: folder.port,
    key: folder.key,
    name: 'mine',
    toggled: [],
    random: seededRandom(2),
  })
  await eventually(
    async () => Math.min(sumOf(clicks.tally.acknowledged), writes.tally.acknowledged),
    (count) => count >= 50,
  )
  const made = [...writes.tally.fates].filter(([, fate]) => fate === 'present').map(([code]) => code)
  const file = await backUp(folder)
  const [, { odd, fates }] = await Promise.all([clicks.stop(), writes.stop()])
  expect(odd).toEqual([])
  await server!.stop()

  const copy = new Database(file, { readonly: true })
  const inBackup = copy.query('SELECT code FROM links ORDER BY code').values().flat()
  copy.close()
  const kept = made.filter((code) => fates.get(code) === 'present')
  expect(inBackup).toEqual(expect.arrayContaining([...CODES, ...kept]))
  const elsewhere = { ...folder, settings: { ...folder.settings, DATA_DIR: folders.make() } }
  const restored = await restore(elsewhere, file)
  expect(restored.manifest.links).toBe(inBackup.length)
  const store = new Database(storePath(elsewhere.settings.DATA_DIR), { readonly: true })
  expect(store.query('SELECT code FROM links ORDER BY code').values().flat()).toEqual(inBackup)
  store.close()
  await serve(elsewhere)
  expect((await elsewhere.api('GET', '/first')).status).toBe(302)
})

test('a restored team has its domain, members and restricted keys, and nobody is signed in or invited', async () => {
  const folder = await operateFolder(folders.make())
  const team = await addTeam(folder)
  await serve(folder)
  await makeTeamLinks(team)
  await server!.stop()
  const file = await backUp(folder)
  const elsewhere = { ...folder, settings: { ...folder.settings, DATA_DIR: folders.make() } }
  const rowsIn = async (dataDir: string) => {
    const { db, close } = await openSqliteStore(dataDir, 'same-thread')
    const rows = await contentsOf(db)
    await close()
    return withoutCodeLog(rows)
  }
  await restore(elsewhere, file)
  const before = await rowsIn(folder.settings.DATA_DIR)
  expect(await rowsIn(elsewhere.settings.DATA_DIR)).toEqual(
    before.map(([table, rows]) => [table, SIGN_IN_TABLES.includes(table) ? [] : rows]),
  )
  await serve(elsewhere)
  await expectTeamWorks(team, 'restored')
})

test('after an older backup is restored every click is counted once, and later codes and IDs are not reused', async () => {
  const folder = await operateFolder(folders.make(), { JOURNAL_SEGMENT_BYTES: '64KiB' })
  const rival = await asAnother(folder, 'rival@example.com')
  await serve(folder)
  await folder.makeLinks(CODES)
  const before = await click(folder, CODES, 300)
  const file = await backUp(folder)
  await folder.makeLinks(['late', 'later'])
  const newcomer = await asAnother(folder, 'newcomer@example.com')
  await newcomer.makeLinks(['newcomers'])
  const since = await click(folder, [...CODES, 'late', 'newcomers'], 2_000)
  const { id } = JSON.parse((await newcomer.api('GET', '/api/links/newcomers')).body).data
  await server!.kill()

  const restored = await restore(folder, file)
  const late = (since.acknowledged.get('late') ?? 0) + (since.acknowledged.get('newcomers') ?? 0)
  const acknowledged = sumOf(before.acknowledged) + sumOf(since.acknowledged)
  expect(restored).toMatchObject({
    codesBlocked: 3,
    journal: { missing: 0, surplus: 0, journaled: acknowledged },
  })
  expect(late).toBeGreaterThan(0)
  await serve(folder)
  await expectCounted(folder, [before, since])
  for (const code of ['late', 'later', 'newcomers']) {
    expect((await folder.api('GET', `/${code}`)).status).toBe(404)
    const body = { original_url: 'https://example.com/', custom_code: code }
    const refused = await rival.api('POST', '/api/links', body)
    expect([code, refused.status]).toEqual([code, 422])
    expect(JSON.parse(refused.body).errors.custom_code).toEqual(['The custom code has already been taken.'])
  }
  // Its own account may have it again, as a deleted link's: a new link, without the old clicks.
  await folder.makeLinks(['late'])
  const again = JSON.parse((await folder.api('GET', '/api/links/late')).body).data
  expect(again.id).toBeGreaterThan(id)
  expect(again.click_count).toBe(0)
  // The next account must not be taken for the lost one.
  const next = await asAnother(folder, 'next@example.com')
  expect(next.workspaceId).toBeGreaterThan(newcomer.workspaceId)
  expect((await server!.stop()).exitCode).toBe(0)
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
})

test('putting an older tern.db in place by hand blocks the codes as well, before an account is made', async () => {
  const folder = await operateFolder(folders.make())
  const dataDir = folder.settings.DATA_DIR
  const file = await backUp(folder)
  await serve(folder)
  const newcomer = await asAnother(folder, 'newcomer@example.com')
  await newcomer.makeLinks(['newcomers'])
  await server!.stop()
  for (const name of readdirSync(dataDir)) if (name.startsWith('tern.db')) rmSync(join(dataDir, name))
  renameSync(file, storePath(dataDir))
  const words = ['account', 'create', 'x@example.com', '--name', 'x', '--password', 'correct horse battery']
  const { output } = await runTern([...words, '--json'], folder.settings)
  expect(JSON.parse(output).workspace_id).toBeGreaterThan(newcomer.workspaceId)
  await serve(folder)
  expect((await newcomer.api('GET', '/newcomers')).status).toBe(404)
  await folder.makeLinks(CODES)
  expect((await server!.stop()).exitCode).toBe(0)
  expect(contradictions(dataDir)).toEqual([])
  // It is a database like any other, that can be backed up in its turn.
  await restore(folder, await backUp(folder))
})

test('segments that are in the trash by then are restored and counted', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  await folder.makeLinks(CODES)
  const file = await backUp(folder)
  const tally = await click(folder, CODES, 200)
  await server!.stop()
  const journal = journalFolder(folder.settings.DATA_DIR)
  const segments = readdirSync(journal).filter((name) => name.endsWith('.journal'))
  mkdirSync(join(journal, 'trash'), { recursive: true })
  for (const name of segments) renameSync(join(journal, name), join(journal, 'trash', `1-${name}`))
  expect(await restore(folder, file)).toMatchObject({
    segmentsTakenBack: segments.length,
    journal: { waiting: sumOf(tally.acknowledged), missing: 0 },
  })
  await serve(folder)
  await expectCounted(folder, [tally])
})

test('what the journal no longer holds is reported in exact numbers', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  await folder.makeLinks(CODES)
  const file = await backUp(folder)
  const lost = await click(folder, CODES, 200)
  await server!.stop()
  const journal = journalFolder(folder.settings.DATA_DIR)
  const first = readdirSync(journal).filter((name) => name.endsWith('.journal'))
  await serve(folder)
  const kept = await click(folder, CODES, 100)
  await server!.stop()
  for (const name of first) rmSync(join(journal, name))
  expect(await restore(folder, file)).toMatchObject({
    journal: { missing: sumOf(lost.acknowledged), waiting: sumOf(kept.acknowledged) },
  })
})

test('without its journal a backup reports how many clicks at least are missing', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  await folder.makeLinks(CODES)
  const tally = await click(folder, CODES, 100)
  await server!.kill()
  const store = await openSqliteStore(folder.settings.DATA_DIR, 'same-thread')
  const { counted } = await store.db
    .selectFrom('journal_segments')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('clicks'), eb.lit(0)).as('counted'))
    .executeTakeFirstOrThrow()
  await store.close()
  const file = await backUp(folder)
  const { output } = await runTern(['restore', file], { ...folder.settings, DATA_DIR: folders.make() })
  expect(output).toContain(
    Number(counted) === sumOf(tally.acknowledged)
      ? 'Missing clicks: 0.'
      : `Missing clicks: at least ${sumOf(tally.acknowledged) - Number(counted)};`,
  )
})

test('on a new machine, without the journal, nothing is reported missing that the backup has counted', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  await folder.makeLinks(CODES)
  const first = await click(folder, CODES, 60)
  expect((await server!.stop()).exitCode).toBe(0)
  const file = await backUp(folder)
  const elsewhere = { ...folder, settings: { ...folder.settings, DATA_DIR: folders.make() } }
  const { output } = await runTern(['restore', file], elsewhere.settings)
  expect(output).toContain(`${sumOf(first.acknowledged)} clicks.`)
  expect(output).toContain('Missing clicks: 0.')
  // The new machine starts its own journal, and its backup includes both.
  await serve(elsewhere)
  const second = await click(elsewhere, CODES, 40)
  expect((await server!.stop()).exitCode).toBe(0)
  const all = sumOf(first.acknowledged) + sumOf(second.acknowledged)
  const again = await backUp(elsewhere)
  const third = { ...folder, settings: { ...folder.settings, DATA_DIR: folders.make() } }
  expect(await restore(third, again)).toMatchObject({
    manifest: { clicksCounted: all, clicksJournaled: all },
    clicksMissing: 0,
  })
})

test('a restore beside a running server is refused with the name of the holder, and nothing changes', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  const file = await backUp(folder)
  await folder.makeLinks(CODES)
  const { exitCode, complaints } = await runTern(['restore', file], folder.settings)
  expect([exitCode, complaints]).toEqual([1, expect.stringContaining(`is in use by process ${server!.pid}`)])
  expect((await folder.api('GET', '/first')).status).toBe(302)
})

test('nothing runs on a folder whose restore was interrupted until it is restored', async () => {
  const folder = await operateFolder(folders.make())
  const file = await backUp(folder)
  const dataDir = folder.settings.DATA_DIR
  writeFileSync(join(dataDir, 'restore.unfinished'), 'replaced/then\n')
  mkdirSync(join(dataDir, 'replaced', 'then'), { recursive: true })
  renameSync(storePath(dataDir), join(dataDir, 'replaced', 'then', 'tern.db'))
  for (const words of [['serve'], ['account', 'list'], ['backup', `${file}2`], ['recount', '--check']]) {
    const { exitCode, complaints } = await runTern(words, folder.settings)
    expect([exitCode, complaints]).toEqual([1, expect.stringContaining('Run tern restore again')])
    expect(existsSync(storePath(dataDir))).toBe(false)
  }
  await restore(folder, file)
  expect((await runTern(['account', 'list'], folder.settings)).exitCode).toBe(0)
})

test('a backup that is killed leaves no file of its name, and the next one cleans up behind it', async () => {
  const folder = await operateFolder(folders.make())
  await serve(folder)
  const links = Array.from({ length: 100 }, () => ({
    original_url: `https://example.com/${'x'.repeat(4000)}`,
  }))
  for (let i = 0; i < 20; i++) await folder.api('POST', '/api/bulk-shorten', { links })
  const into = folders.make()
  const file = join(into, 'tern.backup')
  const child = spawnTern(['backup', file], folder.settings)
  while (readdirSync(into).length === 0 && child.exitCode === null) await Bun.sleep(0)
  child.kill('SIGKILL')
  await child.exited
  expect(existsSync(file)).toBe(false)
  const left = readdirSync(into)
  expect(left).not.toEqual([])
  // SQLite's own journal may lie beside it.
  for (const name of left) expect(name).toMatch(/^tern\.backup\.[0-9a-f-]{36}\.next(-journal)?$/)
  expect((await runTern(['backup', join(into, 'another.backup')], folder.settings)).exitCode).toBe(0)
  expect(readdirSync(into)).toEqual(['another.backup'])
})
