import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { manualClock } from '../../runtime/clock.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { type Durability, SqliteWriter } from './sqlite-writer.ts'
import { type SharedWriteLock, newSharedWriteLock, WriteLock } from './write-lock.ts'

const folders = temporaryFolders()
let writer: SqliteWriter
/** What the writer itself has said to SQLite, in order. */
let said: string[]

beforeEach(openWriter)
afterEach(closeWriter)

describe('a turn', () => {
  test('belongs to one at a time, in the order of asking', async () => {
    const order: string[] = []
    const visit = async (name: string) => {
      const leave = await writer.enter()
      order.push(`${name} in`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} out`)
      leave()
      leave()
    }
    await Promise.all([visit('a'), visit('b'), visit('c')])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })
})

describe('a group', () => {
  test('is all writes of one turn of the event loop, committed once', async () => {
    await Promise.all([1, 2, 3].map((id) => write(id, 'full')))
    expect(said).toEqual(['PRAGMA synchronous = FULL', 'BEGIN IMMEDIATE', 'COMMIT'])
    expect(ids()).toEqual([1, 2, 3])
  })

  test('is acknowledged after its commit', async () => {
    let isAcknowledged = false
    const written = write(1, 'full').then(() => (isAcknowledged = true))
    while (!said.includes('COMMIT')) {
      expect(isAcknowledged).toBe(false)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await written
  })

  test('that only counts is committed before one that must be on the disk begins', async () => {
    await Promise.all([write(1, 'process'), write(2, 'full'), write(3, 'process')])
    expect(said).toEqual([
      'PRAGMA synchronous = NORMAL',
      'BEGIN IMMEDIATE',
      'COMMIT',
      'PRAGMA synchronous = FULL',
      'BEGIN IMMEDIATE',
      'COMMIT',
    ])
    expect(ids()).toEqual([1, 2, 3])
  })

  test('is refused as a whole when SQLite rolls it back, and the next one is good', async () => {
    const first = write(1, 'full')
    const second = (async () => {
      const leave = await writer.enter()
      await writer.join('full')
      try {
        writer.run('INSERT OR ROLLBACK INTO things VALUES (1)', [])
      } finally {
        leave()
      }
    })()
    const outcomes = await Promise.allSettled([first, second])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ids()).toEqual([])
    await write(2, 'full')
    expect(ids()).toEqual([2])
  })

  test('whose commit fails is refused as a whole and leaves nothing', async () => {
    writer.database.run(
      'CREATE TABLE parts (thing INTEGER REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)',
    )
    const first = write(1, 'full')
    const second = (async () => {
      const leave = await writer.enter()
      const { committed } = await writer.join('full')
      writer.run('INSERT INTO parts VALUES (404)', [])
      leave()
      await committed
    })()
    const outcomes = await Promise.allSettled([first, second])
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.code)).toEqual([
      'SQLITE_CONSTRAINT_FOREIGNKEY',
      'SQLITE_CONSTRAINT_FOREIGNKEY',
    ])
    expect([writer.database.inTransaction, ids()]).toEqual([false, []])
  })
})

describe('who watches', () => {
  test('hears how long each group took, its wait for the turn included, and which failed', async () => {
    const { turns, path } = shared()
    const clock = manualClock(0)
    const seconds: number[] = []
    let failures = 0
    const observed = { observe: (value: number) => void seconds.push(value) }
    const counted = { add: () => void failures++ }
    const watch = { clock, seconds: observed, failures: counted }
    writer.database.close()
    writer = new SqliteWriter(openSqliteFile(path), new WriteLock(turns), { metrics: watch })
    const other = new WriteLock(turns)
    await other.acquire()
    const written = write(1, 'full')
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(250_000)
    other.release()
    await written
    expect([seconds, failures]).toEqual([[0.25], 0])
    await expect(writeTwice()).rejects.toThrow('UNIQUE')
    expect([seconds.length, failures]).toEqual([1, 1])
  })

  /** SQLite drops the whole group. */
  async function writeTwice(): Promise<void> {
    const leave = await writer.enter()
    const { committed } = await writer.join('full')
    try {
      writer.run('INSERT OR ROLLBACK INTO things VALUES (1)', [])
    } finally {
      leave()
    }
    await committed
  }
})

describe('two threads', () => {
  test('take turns: a group begins when the group of the other one is committed', async () => {
    const { turns, path } = shared()
    const [one, other] = [opened(path, turns), opened(path, turns)]
    const order: string[] = []
    const write = async (writer: SqliteWriter, name: string, id: number) => {
      const leave = await writer.enter()
      const { committed } = await writer.join('full')
      order.push(`${name} writes`)
      writer.run('INSERT INTO things VALUES (?)', [id])
      leave()
      await committed
      order.push(`${name} is done`)
    }
    await Promise.all([write(one, 'one', 1), write(other, 'other', 2)])
    expect(order).toEqual(['one writes', 'one is done', 'other writes', 'other is done'])
    for (const { database } of [one, other]) database.close()
  })

  test('do not wait for one that could not begin, or that SQLite has rolled back', async () => {
    const { turns, path } = shared()
    const [one, other] = [opened(path, turns), opened(path, turns)]
    const leave = await one.enter()
    await one.join('full')
    expect(() => one.run('INSERT OR ROLLBACK INTO things VALUES (NULL), (1), (1)', [])).toThrow()
    spyOn(one.database, 'run').mockImplementationOnce(() => {
      throw new Error('The disk is gone.')
    })
    await expect(one.join('full')).rejects.toThrow('The disk is gone.')
    leave()
    await other.enter()
    await other.join('full')
    other.database.run('ROLLBACK')
    for (const { database } of [one, other]) database.close()
  }, 5_000) // a turn that was never given back would pass after ten seconds
})

test('a transaction that was begun although that seemed to fail is dropped, and the next one is good', async () => {
  writer.database.run('BEGIN')
  insert(1)
  await write(2, 'full')
  expect(ids()).toEqual([2])
})

describe('settling', () => {
  test('commits what is written so far', async () => {
    const written = write(1, 'full')
    await writer.settle()
    expect(said.at(-1)).toBe('COMMIT')
    await written
  })

  test('without a group does nothing', async () => {
    await writer.settle()
    expect(said).toEqual([])
  })
})

function openWriter(): void {
  const database = openSqliteFile(join(folders.make(), 'new.db'))
  database.run('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  writer = new SqliteWriter(database)
  said = []
  const run = database.run.bind(database)
  spyOn(database, 'run').mockImplementation(((text: string) => {
    said.push(text)
    return run(text)
  }) as Database['run'])
}

async function closeWriter(): Promise<void> {
  await writer.settle()
  expect(writer.database.inTransaction).toBe(false)
  writer.database.close()
  folders.remove()
}

const insert = (id: number) => writer.run('INSERT INTO things VALUES (?)', [id])
const ids = () => writer.database.query('SELECT id FROM things').values().flat()

/** A file with a table, and the turns of those who write to it. */
function shared() {
  const path = join(folders.make(), 'shared.db')
  const database = openSqliteFile(path)
  database.run('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  database.close()
  return { turns: newSharedWriteLock(), path }
}

const opened = (path: string, turns: SharedWriteLock) =>
  new SqliteWriter(openSqliteFile(path), new WriteLock(turns))

/** One caller's write, as the dialect does it. */
async function write(id: number, durability: Durability): Promise<void> {
  const leave = await writer.enter()
  const { committed } = await writer.join(durability)
  insert(id)
  leave()
  await committed
}
