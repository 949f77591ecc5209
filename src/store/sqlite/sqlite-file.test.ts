import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { openSqliteFile, openSqliteReader, runStatement } from './sqlite-file.ts'

const folders = useFolders()

const openNew = () => openSqliteFile(join(folders.make(), 'new.db'))

test('a file is opened with what every connection needs', () => {
  const database = openNew()
  const pragma = (name: string) => Object.values(database.query(`PRAGMA ${name}`).get() as object)[0]
  expect({
    journal: pragma('journal_mode'),
    foreignKeys: pragma('foreign_keys'),
    synchronous: pragma('synchronous'),
    secureDelete: pragma('secure_delete'),
    busyTimeout: pragma('busy_timeout'),
  }).toEqual({ journal: 'wal', foreignKeys: 1, synchronous: 2, secureDelete: 2, busyTimeout: 15_000 })
  database.close()
})

test('a statement gives its rows, or how many it changed', () => {
  const database = openNew()
  const run = (text: string, ...parameters: unknown[]) => runStatement(database, text, parameters)
  run('CREATE TABLE things (id INTEGER PRIMARY KEY, value) STRICT'.replace(' STRICT', ''))
  expect(run('INSERT INTO things (value) VALUES (?), (?)', 'a', true)).toEqual({
    rows: [],
    numAffectedRows: 2n,
    insertId: 2n,
  })
  expect(run('SELECT * FROM things')).toEqual({
    rows: [
      { id: 1, value: 'a' },
      { id: 2, value: 1 },
    ],
  })
  expect(run('UPDATE things SET value = ? WHERE id = 1 RETURNING value', null).rows).toEqual([
    { value: null },
  ])
  expect(run('DELETE FROM things').numAffectedRows).toBe(2n)
  database.close()
})

test('a statement stays prepared while many others run, as those of a creation do', () => {
  const database = openNew()
  const statement = database.query('SELECT 1')
  for (let at = 0; at < 50; at++) runStatement(database, `SELECT ${at} AS other`, [])
  expect(database.query('SELECT 1')).toBe(statement)
  database.close()
})

test('whole numbers below 2^53, texts of any kind and bytes come back as they were', () => {
  const database = openNew()
  const values = [Number.MAX_SAFE_INTEGER, 'ÿ\u0000😀', new Uint8Array([0, 255]), null]
  const { rows } = runStatement(database, 'SELECT ? AS a, ? AS b, ? AS c, ? AS d', values)
  expect(Object.values(rows[0]!)).toEqual(values)
  database.close()
})

test('the reader sees what is committed, and cannot write', () => {
  const path = join(folders.make(), 'new.db')
  const database = openSqliteFile(path)
  database.run('CREATE TABLE things (id INTEGER)')
  const reader = openSqliteReader(path)
  database.run('BEGIN IMMEDIATE')
  database.run('INSERT INTO things VALUES (1)')
  expect(reader.query('SELECT * FROM things').all()).toEqual([])
  database.run('COMMIT')
  expect(reader.query('SELECT * FROM things').all()).toEqual([{ id: 1 }])
  expect(() => reader.run('INSERT INTO things VALUES (2)')).toThrow('readonly')
  reader.close()
  database.close()
})

test('what was deleted is gone from the file', async () => {
  const path = join(folders.make(), 'new.db')
  const database = openSqliteFile(path)
  database.run('CREATE TABLE secrets (id INTEGER PRIMARY KEY, secret TEXT)')
  database.run("INSERT INTO secrets VALUES (1, 'find me if you can')")
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(await Bun.file(path).text()).toContain('find me')
  database.run('DELETE FROM secrets')
  database.close()
  expect(await Bun.file(path).text()).not.toContain('find me')
})
