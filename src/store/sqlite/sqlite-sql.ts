import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { runReady, transact } from '../transact.ts'
import type { EngineSql, NumberedTable, RowInsert, Rows } from '../engine-sql.ts'
import type { AnyDb, RelaxedDb, Tx, WriteDb } from '../handles.ts'

export const sqliteSql: EngineSql = {
  writeRows,
  async writeTogether(tx, targets, rows) {
    for (const [index, target] of targets.entries()) await writeRows(tx, target, rows[index]!)
  },
  positionOf: (_db, text, part) => sql<number>`instr(${text}, ${part})`,
  jsonElements: (_db, json) => sql`json_each(${json})`,
  searchedLinks,
  indexNewLinks,
  indexRestoredLink,
  raiseIds,
  // One transaction writes at a time: nothing has to be locked.
  async lock() {},
  readLocked: (_tx, query) => query,
  lockedToChange: (_db, query) => query,
  freeToRemove: (_db, query) => query,
  // One process has the folder.
  async runOnOneNode(_db, _name, work) {
    await work()
  },
  async prepareClickMonths() {},
  async tryToWrite(db) {
    await sql`UPDATE store_identity SET id = id`.execute(db)
  },
  async forgetChanges() {},
}

/**
 * Rows per statement, largest first. Few sizes, so that few statements are prepared: building one for each size took longer than
 * running it. More than 64 rows gain nothing for a row (1.2 µs, 2.4 for one row alone), but a request has 100 links as a rule.
 */
const STATEMENT_ROWS = [100, 64, 8, 1] as const

const statements = new WeakMap<RowInsert, Map<number, CompiledQuery>>()

async function writeRows<Returned>(db: WriteDb | Tx, target: RowInsert, rows: Rows): Promise<Returned[]> {
  const returned: Returned[] = []
  for (let from = 0; from < rows.length;) {
    const count = STATEMENT_ROWS.find((size) => size <= rows.length - from)!
    const parameters: unknown[] = []
    for (let at = from; at < from + count; at++) parameters.push(...rows[at]!)
    // Not CompiledQuery.raw, which freezes the parameters: that takes longer than the insert.
    const { rows: some } = await runReady<Returned>(db, { ...statementOf(target, count), parameters })
    for (const row of some) returned.push(row)
    from += count
  }
  return returned
}

function statementOf(target: RowInsert, count: number): CompiledQuery<any> {
  const queries = statements.get(target) ?? new Map<number, CompiledQuery>()
  statements.set(target, queries)
  const statement = queries.get(count) ?? CompiledQuery.raw(insertText(target, count))
  queries.set(count, statement)
  return statement
}

function insertText({ table, columns, then = '' }: RowInsert, count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(row).join(', ')} ${then}`
}

async function raiseIds(tx: Tx, table: NumberedTable, id: number): Promise<void> {
  await sql`UPDATE sqlite_sequence SET seq = ${id} WHERE name = ${table} AND seq < ${id}`.execute(tx)
  // A table that never had a row is not in sqlite_sequence.
  await sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${id}
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`.execute(tx)
}

function searchedLinks(_db: AnyDb, workspaceId: number, words: readonly string[]): RawBuilder<unknown> {
  const hasAll = sql.join(
    words.map((word) => sql`instr(link_texts.text, ${word}) > 0`),
    sql` AND `,
  )
  const ownTexts = sql`SELECT link_id AS id FROM link_texts WHERE workspace_id = ${workspaceId} AND ${hasAll}`
  const trigrams = trigramsOf(words)
  if (trigrams === '') return ownTexts
  // CROSS JOIN fixes the order: trigrams first.
  return sql`SELECT link_search.rowid AS id FROM link_search CROSS JOIN link_texts ON link_id = link_search.rowid
      WHERE link_search MATCH ${trigrams} AND workspace_id = ${workspaceId} AND ${hasAll}
    UNION ALL ${ownTexts} AND link_id > (SELECT indexed_to FROM link_search_progress)`
}

/** Takes a few hundredths of a second, during which nobody else can write. */
const INDEXED_AT_ONCE = 1_000

async function indexNewLinks(db: RelaxedDb): Promise<boolean> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ from: number; to: number | null }>`
      SELECT indexed_to AS "from", (
        SELECT max(link_id) FROM (
          SELECT link_id FROM link_texts WHERE link_id > indexed_to ORDER BY link_id LIMIT ${INDEXED_AT_ONCE}
        )
      ) AS "to" FROM link_search_progress`.execute(tx)
    const { from, to } = rows[0]!
    if (to === null) return false
    await sql`INSERT INTO link_search (rowid, text)
      SELECT link_id, text FROM link_texts WHERE link_id > ${from} AND link_id <= ${to} ORDER BY link_id`.execute(
      tx,
    )
    await sql`UPDATE link_search_progress SET indexed_to = ${to}`.execute(tx)
    return true
  })
}

async function indexRestoredLink(tx: Tx, linkId: number): Promise<void> {
  await sql`INSERT INTO link_search (rowid, text) SELECT link_id, text FROM link_texts
    WHERE link_id = ${linkId} AND link_id <= (SELECT indexed_to FROM link_search_progress)`.execute(tx)
}

/** More trigrams of a long search make the index slower without being more selective. */
const TRIGRAMS_MAX = 16

/** `"cof" AND "off" AND "ffe" AND "fee"`; of a long search, trigrams spread evenly over it; '' if all words are shorter. */
function trigramsOf(words: readonly string[]): string {
  const all = words.flatMap((word) => {
    const characters = [...word]
    return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
  })
  const step = Math.ceil(all.length / TRIGRAMS_MAX)
  const trigrams = new Set(all.filter((_, at) => at % step === 0))
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
