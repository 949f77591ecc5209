import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { EVERY_TABLE } from '../../../test/rigs/store/every-table.data.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { fillEveryTable } from '../../../test/rigs/store/store-contents.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import { openPostgresStore } from '../postgres/open-postgres-store.ts'
import { openSqliteStore, storePath } from '../sqlite/open-sqlite-store.ts'
import type { RowStream, MoveReader } from './move-endpoint.ts'
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts'
import { MoveConnection } from './move-connection.ts'
import { postgresRowReader } from './postgres-row-reader.ts'
import { readLine, sqliteRowReader } from './sqlite-rows.ts'

const isMissing = lacksPostgres('moves between engines')
const folders = temporaryFolders()
let database: Database

beforeEach(openFilled)

afterEach(() => {
  database.close()
  folders.remove()
})

describe('a line', () => {
  test('is a row with a tab between values, and a backslash where one would break it', async () => {
    expect(await linesOf(sqliteRowReader(database), 'codes')).toBe(
      ['-_-\t0\t1\t1\t\\N', 'Zebra\t0\t1\t2\t\\N', '_under\t0\t1\t3\t\\N']
        .concat('apple\t0\t1\t4000000000\t\\N', 'apple\t6\t1\t2\t\\N', 'gone\t0\t1\t\\N\t\\N')
        .concat('lost\t0\t\\N\t\\N\t1795262400000000', 'Äh\t0\t1\t\\N\t\\N', '')
        .join('\n'),
    )
    database.run(`INSERT INTO blocked_hosts VALUES ('\\N', 'a\tb\nc\\d\x08\x0b\x0c\x0d', 0)`)
    expect(await linesOf(sqliteRowReader(database), 'blocked_hosts')).toStartWith(
      '\\\\N\ta\\tb\\nc\\\\d\\b\\v\\f\\r\t0\n',
    )
    expect(await linesOf(sqliteRowReader(database), 'visitor_salts')).toEndWith('\n20779\t\\\\x\n')
  })

  test('is read as the values that it was written from', async () => {
    for (const table of MOVED_TABLES) {
      const columns = await columnsOf(table)
      const lines = (await linesOf(sqliteRowReader(database), table)).trimEnd().split('\n')
      const rows = lines.map((connection) => readLine(connection, columns))
      const wanted = EVERY_TABLE[table].map((row) =>
        columns.map(({ name, holds }) => {
          const value = row[name] as string | number | Uint8Array | null
          return holds === 'number' && value !== null ? String(value) : value
        }),
      )
      expect([table, normal(rows)]).toEqual([table, normal(wanted)])
    }
  })

  test('is exact for numbers that are larger than this program’s are exact', async () => {
    database.run('INSERT INTO seen_visits VALUES (9223372036854775807), (-9007199254740993)')
    const text = await linesOf(sqliteRowReader(database), 'seen_visits')
    expect(text.split('\n')).toEqual([
      '-9007199254740993',
      '0',
      '9007199254740991',
      '9223372036854775807',
      '',
    ])
  })

  test('keeps bytes that are no text', async () => {
    database.run(`INSERT INTO blocked_hosts VALUES (CAST(x'61ff62' AS TEXT), '', 0)`)
    const parts: Uint8Array[] = []
    for await (const some of sqliteRowReader(database).lines({
      table: 'blocked_hosts',
      columns: [{ name: 'host', holds: 'text' }],
    })) {
      parts.push(some)
    }
    expect(Buffer.concat(parts).subarray(0, 4).toString('hex')).toBe('61ff620a')
  })

  test.skipIf(isMissing)('is what PostgreSQL writes of the same row, byte for byte', async () => {
    const url = await (await testPostgres()).makeDatabase()
    const store = await openPostgresStore({ url })
    await fillEveryTable(store.db)
    await store.close()
    const connection = await MoveConnection.open(url)
    const [sqlite, postgres] = [sqliteRowReader(database), postgresRowReader(connection)]
    for (const table of MOVED_TABLES) {
      expect([table, await linesOf(postgres, table)]).toEqual([table, await linesOf(sqlite, table)])
      expect([table, await postgres.count(table)]).toEqual([table, await sqlite.count(table)])
    }
    expect(await postgres.lastIds()).toEqual(await sqlite.lastIds())
    await connection.close()
  })
})

async function openFilled(): Promise<void> {
  const folder = folders.make()
  const store = await openSqliteStore(folder, 'same-thread')
  await fillEveryTable(store.db)
  await store.close()
  database = new Database(storePath(folder))
}

/** Bytes as text, and in one order: rows stand here as they were thought of. */
const normal = (rows: unknown[][]) =>
  rows
    .map((row) => JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [...value] : value))))
    .sort()

async function textOf(lines: RowStream): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const some of lines) parts.push(some)
  return Buffer.concat(parts).toString()
}

const columnsOf = (table: MovedTable) => sqliteRowReader(database).columnsOf(table)

const linesOf = async (reader: MoveReader, table: MovedTable) =>
  textOf(reader.lines({ table, columns: await columnsOf(table) }))
