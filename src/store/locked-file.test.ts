import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { WriteTurn } from './write-turn.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

/** A writer, and another program that has the same file. */
function pair() {
  const path = join(folders.make(), 'new.db')
  const other = openSqliteFile(path)
  other.run('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  const writer = new SqliteWriter(openSqliteFile(path), new WriteTurn(), { lockWaitMs: 200 })
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

test('a file that another process keeps locked is waited for without holding up the thread, then by nobody, until it is free', async () => {
  const { other, writer } = pair()
  other.run('BEGIN IMMEDIATE')
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const waitsMs: number[] = []
  for (const id of [1, 2]) {
    const began = performance.now()
    await expect(write(writer, id)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    waitsMs.push(performance.now() - began)
  }
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
  expect(waitsMs[0]).toBeGreaterThan(150)
  expect(waitsMs[1]).toBeLessThan(150)
  other.run('ROLLBACK')
  await write(writer, 3)
  other.run('BEGIN IMMEDIATE')
  setTimeout(() => other.run('ROLLBACK'), 50)
  await write(writer, 4)
  expect(other.query('SELECT id FROM things').values()).toEqual([[3], [4]])
  writer.database.close()
  other.close()
})
