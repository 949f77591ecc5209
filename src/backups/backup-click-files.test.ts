import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { addClickFile } from '../../test/rigs/clicks/click-file.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { manualClock } from '../runtime/clock.ts'
import { clicksFolder, openSqliteStore, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

const folders = temporaryFolders()
const clock = manualClock(NOON_US)
let dataDir: string
let file: string

beforeEach(makeFolder)
afterEach(folders.remove)

describe('a backup', () => {
  test('has the click files that count, whatever their size', async () => {
    const names = [addClickFile(dataDir, { bytes: 2_500_000 }), addClickFile(dataDir)]
    const contents = filesIn(dataDir)
    const replaced = addClickFile(dataDir)
    change(`UPDATE click_files SET removed_at = 1 WHERE name = '${replaced}'`)
    await backUp()
    expect(Object.keys(contents)).toEqual(names)
    expect(filesInBackup()).toEqual(contents)
  })

  test('is made without click files that are missing or damaged, and names them', async () => {
    const [missing, damaged, cut, kept] = [1, 2, 3, 4].map(() => addClickFile(dataDir, { bytes: 1_500_000 }))
    fs.rmSync(pathOf(missing!))
    const bytes = fs.readFileSync(pathOf(damaged!))
    bytes[1_400_000]! ^= 1
    fs.writeFileSync(pathOf(damaged!), bytes)
    fs.truncateSync(pathOf(cut!), 1_000_000)
    const names = [missing!, damaged!, cut!]
    expect(await backUp()).toMatchObject({ missingClickFiles: names })
    expect(filesInBackup()).toEqual({ [kept!]: filesIn(dataDir)[kept!]! })
    using backup = new Database(file, { readonly: true })
    const manifest = backup.query(`SELECT value FROM backup_manifest WHERE name = 'missingClickFiles'`)
    expect(manifest.values()).toEqual([[names.join(' ')]])
    expect(restore().manifest.missingClickFiles).toEqual(names)
    expect(Object.keys(filesIn(dataDir))).toEqual([kept!])
  })

  test('is made of a database from before click files', async () => {
    change('DROP TABLE click_files')
    await backUp()
    expect(filesInBackup()).toEqual({})
  })

  test('that was put in place by hand has the files of its folder only', async () => {
    addClickFile(dataDir)
    await backUp()
    fs.renameSync(file, storePath(dataDir))
    const [missing] = Object.keys(filesIn(dataDir))
    fs.rmSync(pathOf(missing!))
    expect(await backUp()).toMatchObject({ missingClickFiles: [missing!] })
    expect(filesInBackup()).toEqual({})
  })
})

describe('a restore', () => {
  test('puts the click files in place and keeps the others with their database', async () => {
    addClickFile(dataDir, { bytes: 2_500_000 })
    const early = filesIn(dataDir)
    await backUp()
    // As after a month was rewritten, and the time has passed that replaced files stay.
    fs.rmSync(clicksFolder(dataDir), { recursive: true })
    change('DELETE FROM click_files')
    addClickFile(dataDir)
    const late = filesIn(dataDir)
    const { replacedIn } = restore()
    expect(filesIn(dataDir)).toEqual(early)
    expect(filesIn(replacedIn!)).toEqual(late)
    expect(fs.readdirSync(dataDir)).not.toContain('restore.next')
  })

  test('leaves a database that takes no more room than before', async () => {
    const { size } = fs.statSync(storePath(dataDir))
    addClickFile(dataDir, { bytes: 2_500_000 })
    await backUp()
    restore()
    expect(fs.statSync(storePath(dataDir)).size).toBeLessThanOrEqual(size)
  })
})

async function makeFolder(): Promise<void> {
  dataDir = folders.make()
  file = join(folders.make(), 'tern.backup')
  await (await openSqliteStore(dataDir, 'same-thread')).close()
}

const backUp = () =>
  makeBackup(
    { clock, ternVersion: '1.2.3', clicksJournaled: async () => 0, folderId: async () => undefined },
    { dataDir, file, replaces: false },
  )

const restore = () => restoreBackup({ clock, disk: fs }, { dataDir, file })

const pathOf = (name: string) => join(clicksFolder(dataDir), name)

function change(sql: string): void {
  using database = new Database(storePath(dataDir))
  database.run(sql)
}

/** Contents by name. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(clicksFolder(folder))
      .sort()
      .map((name) => [name, fs.readFileSync(join(clicksFolder(folder), name)).toString('base64')]),
  )

/** The same. No part has more than a megabyte. */
function filesInBackup(): Record<string, string> {
  using backup = new Database(file, { readonly: true })
  const parts = backup.query('SELECT name, bytes FROM backup_click_files ORDER BY name, part').values() as [
    string,
    Uint8Array,
  ][]
  expect(parts.filter(([, bytes]) => bytes.length > 2 ** 20)).toEqual([])
  const contents = [...Map.groupBy(parts, ([name]) => name)].map(([name, ofFile]) => [
    name,
    Buffer.concat(ofFile.map(([, bytes]) => bytes)).toString('base64'),
  ])
  return Object.fromEntries(contents)
}
