import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addClickFile } from '../../rigs/clicks/click-file.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { runTern, type Settings } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { testPostgres } from '../../rigs/store/test-store.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { lacks } from '../driver/lacks.ts'

// Commands on a disk without room: one sentence, exit code 1, and nothing half done.

const DISK_MEGABYTES = 6
const folders = temporaryFolders()
const disk = mountSmallDisk(DISK_MEGABYTES)
let operated: OperatedFolder
let backup: string
let clickFile: string
let dataDir: string

beforeAll(prepareFolder)
afterEach(freeDisk)
afterAll(removeDisk)

test('output that is lost is an error, and a key that nobody has seen is revoked', async () => {
  const { DATA_DIR } = operated.settings
  const run = async (command: string) => {
    if (!existsSync('/dev/full')) return LOST
    const script = `"$0" src/cli/main.ts ${command} > /dev/full`
    const env = { PATH: process.env.PATH, DATA_DIR }
    const child = Bun.spawn(['sh', '-c', script, process.execPath], { env, stderr: 'pipe' })
    return [await new Response(child.stderr).text(), await child.exited]
  }
  expect(await run('openapi')).toEqual(LOST)
  expect(await run(`key create ${operated.email} --name Lost`)).toEqual(LOST)
  const { output } = await tern(['key', 'list', operated.email, '--json'], DATA_DIR)
  expect(JSON.parse(output).filter(({ active }: { active: boolean }) => active)).toHaveLength(1)
})

/** Enough for locks, and for less than half of a database. */
const SOME_BYTES = 200_000
/** Enough for a copy of the database, and not for what comes after it. */
const COPY_BYTES = 480_000
const CLICK_FILE_BYTES = 600_000
/** Enough for a copy of a backup, and not for its click files once more. */
const BACKUP_BYTES = COPY_BYTES + CLICK_FILE_BYTES + 100_000

describe.skipIf(lacks('commands on a full disk', 'small disks'))('on a full disk', () => {
  test.each([SOME_BYTES, COPY_BYTES, BACKUP_BYTES])(
    'with room for %d bytes, tern restore changes nothing',
    async (bytes) => {
      fillUp(bytes)
      const { exitCode, output, complaints } = await tern(['restore', backup])
      expect([exitCode, output]).toEqual([1, ''])
      expect(complaints).toMatch(
        /^The disk that holds .+ (is full\. Free some space and try again|has too little room for the backup\. Free some space and run tern restore again\. Nothing was changed)\.\n$/,
      )
      expect(filesOf(dataDir)).toEqual(['clicks', 'tern.db'])
      for (const name of ['tern.db', join('clicks', clickFile)])
        expect(readFileSync(join(dataDir, name))).toEqual(
          readFileSync(join(operated.settings.DATA_DIR!, name)),
        )
      disk!.free()
      expect((await tern(['restore', backup])).exitCode).toBe(0)
    },
  )

  test.each([SOME_BYTES, COPY_BYTES])('with room for %d bytes, tern backup leaves no file', async (bytes) => {
    fillUp(bytes)
    const file = join(disk!.folder, 'new')
    expect(await tern(['backup', file], operated.settings.DATA_DIR)).toEqual({
      exitCode: 1,
      output: '',
      complaints: `The disk of ${file} is full, so no backup was made. Free some space, or choose a file on another disk.\n`,
    })
    expect(readdirSync(disk!.folder).toSorted()).toEqual(['ballast', 'data'])
  })

  test('tern key create makes no key', async () => {
    fillUp(0)
    expect(await tern(['key', 'create', operated.email, '--name', 'New'])).toEqual({
      exitCode: 1,
      output: '',
      complaints: `The disk that holds ${dataDir} is full. Free some space and try again.\n`,
    })
    disk!.free()
    const list = ['key', 'list', operated.email, '--json']
    const { output } = await tern(list)
    expect(output).toBe((await tern(list, operated.settings.DATA_DIR)).output)
    expect(JSON.parse(output)).not.toBeEmpty()
  })

  test.skipIf(lacks('a move to a full disk', 'postgresql'))(
    'tern store move leaves nothing where it was to move to',
    async () => {
      const url = await (await testPostgres()).makeDatabase()
      await operateFolder(folders.make(), { DATABASE_URL: url })
      const place = join(disk!.folder, 'moved')
      const move = () => tern(['store', 'move', '--from', url, '--to', `sqlite:${place}`], folders.make())
      for (const bytes of [SOME_BYTES, COPY_BYTES * 1.5]) {
        fillUp(bytes)
        const { exitCode, complaints } = await move()
        expect([exitCode, complaints]).toEqual([
          1,
          `The disk that holds ${place} is full, so nothing was moved. Free some space there and run the command again.\n`,
        ])
        expect(filesOf(place)).toEqual([])
        disk!.free()
      }
      expect((await move()).exitCode).toBe(0)
    },
  )
})

const LOST = [
  'The output could not be written to where it is redirected: the disk is full. Run the command again once it can be.\n',
  1,
]

async function prepareFolder(): Promise<void> {
  operated = await operateFolder(join(folders.make(), 'data'))
  clickFile = addClickFile(operated.settings.DATA_DIR!, { bytes: CLICK_FILE_BYTES })
  backup = join(folders.make(), 'backup')
  expect((await tern(['backup', backup], operated.settings.DATA_DIR)).exitCode).toBe(0)
}

function freeDisk(): void {
  disk?.free()
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true })
}

function removeDisk(): void {
  disk?.unmount()
  folders.remove()
}

const tern = (words: string[], DATA_DIR = dataDir, settings: Settings = {}) =>
  runTern(words, { ...settings, DATA_DIR })

/** Leaves that much room on the small disk, beside a copy of the data folder. */
function fillUp(bytes: number): void {
  dataDir = join(disk!.folder, 'data')
  cpSync(operated.settings.DATA_DIR, dataDir, { recursive: true })
  const room = join(disk!.folder, 'room')
  writeFileSync(room, Buffer.alloc(bytes))
  disk!.fill()
  rmSync(room)
}

/** What is there besides the locks of commands and what SQLite keeps while a database is open. */
const filesOf = (folder: string) =>
  readdirSync(folder).filter((name) => !/^(lock|backup|move)\.(db|holder)$|-(wal|shm)$/.test(name))
