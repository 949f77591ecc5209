import { afterEach, expect, jest, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openSqliteFile } from './sqlite/sqlite-file.ts'
import { SqliteWriter } from './sqlite/sqlite-writer.ts'
import { WriteLock } from './sqlite/write-lock.ts'

const folders = temporaryFolders()
afterEach(() => {
  jest.useRealTimers()
  folders.remove()
})

test('a file that another process keeps locked is waited for without holding up the thread, then by nobody, until it is free', async () => {
  const { other, writer } = pair()
  other.run('BEGIN IMMEDIATE')
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  await expect(write(writer, 1)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
  // Time stands still: a wait would not end.
  jest.useFakeTimers()
  await expect(write(writer, 2)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  jest.useRealTimers()
  other.run('ROLLBACK')
  await write(writer, 3)
  other.run('BEGIN IMMEDIATE')
  setTimeout(() => other.run('ROLLBACK'), 50)
  await write(writer, 4)
  expect(other.query('SELECT id FROM things').values()).toEqual([[3], [4]])
  writer.database.close()
  other.close()
})

/** A writer, and another program that has the same file. */
function pair() {
  const path = join(folders.make(), 'new.db')
  const other = openSqliteFile(path)
  other.run('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  const writer = new SqliteWriter(openSqliteFile(path), new WriteLock(), { lockWaitMs: 200 })
  writer.database.run('PRAGMA busy_timeout = 0')
  return { other, writer }
}

async function write(writer: SqliteWriter, id: number): Promise<void> {
  const leave = await writer.enter()
  try {
    const { committed } = await writer.join('full')
    writer.run('INSERT INTO things VALUES (?)', [id])
    leave()
    await committed
  } finally {
    leave()
  }
}
