import firstOnPostgres from './0001-first.postgres.sql' with { type: 'text' }
import firstOnSqlite from './0001-first.sqlite.sql' with { type: 'text' }
import factsOnPostgres from './0002-facts.postgres.sql' with { type: 'text' }
import factsOnSqlite from './0002-facts.sqlite.sql' with { type: 'text' }

/** The statements of each engine, by the name of the migration. */
export type Migrations = Record<string, Record<'sqlite' | 'postgres', readonly string[]>>

/** Forward only, in order, each once and whole. Never edit one that was released: add the next. */
export const MIGRATIONS: Migrations = {
  '0001-first': { sqlite: statementsOf(firstOnSqlite), postgres: statementsOf(firstOnPostgres) },
  '0002-facts': { sqlite: statementsOf(factsOnSqlite), postgres: statementsOf(factsOnPostgres) },
  '0003-clickhouse': {
    sqlite: [],
    // One row: the last batch of clicks that was moved to ClickHouse; 0: none.
    postgres: [
      'CREATE TABLE clickhouse_progress (batch BIGINT NOT NULL)',
      'INSERT INTO clickhouse_progress VALUES (0)',
    ],
  },
}

/** A statement ends with a semicolon at the end of a line. Lines of the same statement after such a semicolon are indented. */
function statementsOf(text: string): string[] {
  return text.split(/;\n(?! )/).filter((statement) => statement !== '')
}

/** The first migration of stores from before 0001-first, on either engine. */
const EARLY_MIGRATION = '0001-foundation'
/** No later commit opens such a store. */
const LAST_COMMIT_FOR_EARLY_STORES = '6c63a672adde'

/** Which migrations a store lacks that has had these. Throws if a version made it that this one does not understand. */
export function pendingMigrations(
  applied: readonly string[],
  store = 'The data',
  migrations: Migrations = MIGRATIONS,
): string[] {
  if (applied.includes(EARLY_MIGRATION))
    throw new EarlyStore(
      `${store} was written by an early Tern, and this version cannot upgrade it. The last commit that upgrades and opens it is ${LAST_COMMIT_FOR_EARLY_STORES}; nothing was changed.`,
    )
  const unknown = applied.filter((name) => !(name in migrations)).sort()
  if (unknown.length > 0)
    throw new NewerStore(
      `${store} was written by a newer Tern (it has ${unknown.join(', ')}). Start that version, or a newer one; nothing was changed.`,
    )
  return Object.keys(migrations).filter((name) => !applied.includes(name))
}

/** Thrown when the store was made before the first migration of today. */
export class EarlyStore extends Error {}

/** Thrown when the store belongs to a later version of Tern. */
export class NewerStore extends Error {}
