import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ClickLoad, seededRandom, sumOf } from '../rigs/program/click-load.ts'
import { eventually } from '../rigs/eventually.ts'
import { type OperatedFolder, operateFolder } from '../rigs/program/operated-folder.ts'
import { ServerProcess, type Surroundings } from '../rigs/program/server-process.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { skipBecause } from '../skips.ts'

// Many clients that only hold on (T21): visitors are answered and counted as if they were not there.

const CODES = ['first', 'second', 'third']
const VISITS = 3_000
const CROWD = 2_000
const OPEN_FILES_MAX = 300
/** Of them, for connections. */
const CONNECTION_FILES_MAX = 200
const SPARE_FILES = 20

const canLook = existsSync('/proc/self/fd')
const folders = temporaryFolders()
const endings: (() => unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
  folders.remove()
})

async function start(surroundings?: Surroundings) {
  const folder = await operateFolder(folders.make())
  const server = await ServerProcess.start(folder.settings, surroundings)
  endings.push(() => server.kill())
  await folder.makeLinks(CODES)
  return { folder, server, openFiles: () => readdirSync(`/proc/${server.pid}/fd`).length }
}

/** Resolves when all have connected. */
async function gather(port: number, size: number): Promise<void> {
  const script = join(import.meta.dir, 'crowd.script.ts')
  const crowd = Bun.spawn([process.execPath, script, String(port), String(size)], { stdout: 'pipe' })
  endings.push(() => crowd.kill())
  for await (const _ of crowd.stdout) return
}

async function expectVisitsCounted(folder: OperatedFolder): Promise<void> {
  const load = new ClickLoad({
    port: folder.port,
    clients: 8,
    codes: CODES,
    random: seededRandom(1),
    requestsMax: VISITS,
  })
  const { acknowledged, statuses, cut, refused } = await load.finished
  expect([statuses.size, cut.within, refused]).toEqual([0, 0, 0])
  // A connection may be closed between two requests: browsers send the second one again.
  expect(cut.before).toBeLessThan(VISITS / 500)
  const answered = VISITS - cut.before
  expect(sumOf(acknowledged)).toBe(answered)
  const counts = await eventually(
    () => folder.clickCounts(CODES),
    (counts) => sumOf(counts) === answered,
  )
  expect(counts).toEqual(acknowledged)
}

describe.skipIf(!canLook && skipBecause('crowds of slow clients', 'run on Linux'))('a crowd', () => {
  test('of two thousand clients that trickle or never read disturbs nobody and is disconnected', async () => {
    const { folder, openFiles } = await start()
    const before = openFiles()
    await gather(folder.port, CROWD)
    expect(openFiles()).toBeGreaterThan(CROWD)
    await expectVisitsCounted(folder)
    const isMissing = (files: number) => files < before + 20
    for (let tries = 0; tries < 3; tries++) await eventually(async () => openFiles(), isMissing)
    expect(openFiles()).toBeLessThan(before + 20)
  })

  test('that would use every open file is disconnected in favor of clients that send requests', async () => {
    const { folder, server, openFiles } = await start({ openFilesMax: OPEN_FILES_MAX })
    const files = { before: openFiles(), most: 0 }
    const watch = setInterval(() => (files.most = Math.max(files.most, openFiles())), 1)
    endings.push(() => clearInterval(watch))
    await gather(folder.port, CROWD)
    await expectVisitsCounted(folder)
    // More than would fit if the files of those that have gone were not counted back.
    for (let i = 0; i < 150; i++)
      expect(JSON.parse((await folder.api('GET', '/api/health')).body).status).toBe('ok')
    expect(files.most).toBeGreaterThan(files.before + CONNECTION_FILES_MAX / 2)
    // Never all: what the journal and the store open now and then has room.
    expect(files.most).toBeLessThan(OPEN_FILES_MAX - SPARE_FILES)
    const warnings = server.output.split('\n').filter((line) => line.includes('No room for more connections'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0]!)).toMatchObject({
      level: 'warn',
      files_of_connections: CONNECTION_FILES_MAX,
    })
    expect(server.output).not.toContain('EMFILE')
  })
})
