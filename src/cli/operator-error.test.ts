import { describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { FolderInUse } from '../store/files/folder-lock.ts'
import { openSqliteStore, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { operatorError } from './operator-error.ts'

const folders = useFolders()

describe('a data folder that cannot be used, as it is found on the disk', () => {
  test('is a file, or below one', async () => {
    const file = join(folders.make(), 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) {
      expect(await sentenceOf(path)).toBe(
        `The data folder ${path} cannot be created or used because part of its path is not a folder. Check DATA_DIR.`,
      )
    }
  })

  test('has a database that is none', async () => {
    const folder = folders.make()
    writeFileSync(storePath(folder), 'Not what you are looking for. '.repeat(40))
    expect(await sentenceOf(folder)).toBe(
      `A file in ${folder} that should be a database is not one. Check DATA_DIR, or restore a backup.`,
    )
  })

  test('has a database that is damaged', async () => {
    const folder = folders.make()
    await (await openSqliteStore(folder, 'same-thread')).close()
    const bytes = Buffer.from(await Bun.file(storePath(folder)).arrayBuffer())
    writeFileSync(storePath(folder), bytes.fill(0x5a, 4096))
    expect(await sentenceOf(folder)).toStartWith(`The database in ${folder} is damaged. Restore a backup`)
  })

  test('has the database of another program', async () => {
    const folder = folders.make()
    const other = new Database(storePath(folder))
    other.run('CREATE TABLE albums (id INTEGER)')
    other.close()
    expect(await sentenceOf(folder)).toBe(
      'The database holds the tables of another program (albums and so on): check DATA_DIR and DATABASE_URL.',
    )
  })

  test('has a folder where the database should be', async () => {
    const folder = folders.make()
    mkdirSync(storePath(folder))
    expect(await sentenceOf(folder)).toContain('cannot be read and written by this user')
  })

  test('belongs to a newer version', async () => {
    const folder = folders.make()
    const { db, close } = await openSqliteStore(folder, 'same-thread')
    await db
      // The migrator's own table.
      .insertInto('kysely_migration' as 'codes')
      .values({ name: '9999-later', timestamp: '' } as never)
      .execute()
    await close()
    expect(await sentenceOf(folder)).toContain('written by a newer Tern (it has 9999-later)')
  })
})

describe('what the system says', () => {
  test.each([
    [
      failing('EADDRINUSE', { syscall: 'listen' }),
      'Port 3000 is in use by another program. Set PORT to a free one.',
    ],
    [
      failing('EACCES', { syscall: 'listen' }),
      'Port 3000 cannot be opened by this user. Set PORT to one above 1023.',
    ],
    [failing('EADDRNOTAVAIL', { syscall: 'listen' }), '127.0.0.1 is no address of this machine: check HOST.'],
    [failing('EINVAL', { syscall: 'listen' }), '127.0.0.1 is no address of this machine: check HOST.'],
    [failing('EACCES', { path: '/data' }), 'The data folder /data cannot be read and written by this user'],
    [
      failing('EROFS', { path: '/data/journal' }),
      'The data folder /data cannot be read and written by this user',
    ],
    [failing('ENOSPC', { path: '/data/lock.holder' }), 'The disk that holds /data is full'],
    [
      failing('ENOSPC', { syscall: 'write' }),
      'The disk that holds /data is full. Free some space and try again.',
    ],
    [failing('EIO', { path: '/data/journal/a' }), 'The disk that holds /data has read or write errors'],
    [failing('SQLITE_READONLY_DBMOVED'), 'The data folder /data cannot be read and written by this user'],
    [failing('SQLITE_IOERR_READ'), 'The disk that holds /data has read or write errors'],
    [failing('SQLITE_BUSY'), 'Another program, such as tern store move, has locked the database in /data'],
    [new FolderInUse('It is in use.'), 'It is in use.'],
    [new Error('It failed.', { cause: failing('SQLITE_FULL') }), 'The disk that holds /data is full'],
  ])('is put into a sentence: %#', (error, sentence) => {
    expect(operatorError(error, around('/data'))).toStartWith(sentence)
  })

  test.each([
    new Error('It failed.'),
    new TypeError('undefined is not a function'),
    failing('ENOENT', { path: '/elsewhere/file' }),
    failing('ENOENT', { path: '/database' }),
    failing('EACCES'),
    failing('SQLITE_ERROR'),
    failing('SQLITE_CONSTRAINT_UNIQUE'),
    'a text',
    undefined,
  ])('is a bug of ours when no operator can fix it: %#', (error) => {
    expect(operatorError(error, around('/data'))).toBeUndefined()
  })
})

const around = (dataDir: string) => ({ dataDir, host: '127.0.0.1', port: 3000 })
const failing = (code: string, others: object = {}) => Object.assign(new Error(code), { code, ...others })

/** What the store says of the folder, as an operator reads it. */
async function sentenceOf(dataDir: string): Promise<string | undefined> {
  const error = await openSqliteStore(dataDir, 'same-thread').then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  return operatorError(error, around(dataDir))
}
