import { Database } from 'bun:sqlite'
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { ClickLoad, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { operateFolder } from '../../rigs/program/operated-folder.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

setDefaultTimeout(60_000)

const CODES = ['first', 'second', 'third']

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  folders.remove()
})

test('while the database is locked visitors are redirected, and their clicks are counted afterwards', async () => {
  const folder = await operateFolder(folders.make())
  server = await ServerProcess.start(folder.settings)
  await folder.makeLinks(CODES)
  const other = new Database(storePath(folder.settings.DATA_DIR), { readwrite: true })
  // The server may be writing at this moment.
  other.run('PRAGMA busy_timeout = 10000')
  other.run('BEGIN IMMEDIATE')
  const load = new ClickLoad({ port: folder.port, clients: 8, codes: CODES, random: seededRandom(1) })
  await eventually(
    async () => sumOf(load.tally.acknowledged),
    (count) => count >= 1_000,
  )
  const made = folder.api('POST', '/api/links', { original_url: 'https://example.com/' })
  const tally = await load.stop()
  expect(tally.acknowledged).toEqual(tally.sent)
  expect(sumOf(tally.acknowledged)).toBeGreaterThanOrEqual(1_000)
  expect(other.query('SELECT * FROM link_totals').all()).toEqual([])

  other.run('ROLLBACK')
  other.close()
  expect((await made).status).toBe(201)
  const isAllThere = (counts: Map<string, number>) => sumOf(counts) >= sumOf(tally.acknowledged)
  expect(await eventually(() => folder.clickCounts(CODES), isAllThere)).toEqual(tally.acknowledged)
  expect(await server.stop()).toMatchObject({ exitCode: 0, complaints: '' })
  expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
})
