import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { useSharedFolders } from '../../test/rigs/use-rig.ts'
import { type Engine, enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { DIMENSIONS } from './click-dimensions.ts'

const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g
/** `type Name = …`, as far as the next one. */
const TYPE = /^(?:export )?type (\w+) = ([^]*?)(?=^(?:export )?type |^import |(?![^]))/gm
const FIELD = /(\w+): ([^;\n}]+)/g
/** Types that others are made of. */
const JOINED = ['Counters', 'LinkOptionColumns']
const OMIT = /Omit<(\w+), ([^>]+)>/

const folders = useSharedFolders()

const written = columnsOfSchema()

test('the schema is read whole', () => {
  expect(names.filter((name) => name.startsWith('workspace_totals.'))).toEqual([
    'workspace_totals.bots',
    'workspace_totals.clicks',
    'workspace_totals.last_clicked_at?',
    'workspace_totals.visitors',
    'workspace_totals.workspace_id',
  ])
  expect(names.filter((name) => /^(deleted_links\.(id|updated_at)|users\.totp_secret)/.test(name))).toEqual([
    'deleted_links.id',
    'users.totp_secret?',
  ])
})

describe.each(enginesToTest('every table and column'))('on %s', (engine) => {
  let rows: { table: string; column: string; nullable: unknown; optional: unknown }[]

  beforeAll(async () => {
    const store = await openTestStore(folders.make(), engine)
    rows = (await sql.raw<(typeof rows)[number]>(COLUMNS[engine]).execute(store.db)).rows
    await store.close()
  })

  test('there are the tables and columns of the schema, those that are listed here, and no others', () => {
    const others = ON_ONE_ENGINE[engine]
    const shared = rows.filter(({ table }) => !(table in others))
    const found = shared.map(({ table, column, nullable }) => `${table}.${column}${nullable ? '?' : ''}`)
    expect(found.sort()).toEqual(names)
    expect(Object.keys(others).filter((table) => !rows.some((row) => row.table === table))).toEqual([])
  })

  test('what the schema lets a new row leave out may be left out', () => {
    const optional = rows.filter((row) => row.optional).map(({ table, column }) => `${table}.${column}`)
    const generated = written.filter(({ isGenerated }) => isGenerated).map(({ name }) => name)
    expect(generated).toContain('links.id')
    expect(generated.filter((name) => !optional.includes(name))).toEqual([])
  })
})

const names = written.map(({ name, isNullable }) => `${name}${isNullable ? '?' : ''}`).sort()

/** As `src/store/schema.ts` and the files beside it write them. */
function columnsOfSchema(): { name: string; isNullable: boolean; isGenerated: boolean }[] {
  const files = readdirSync(import.meta.dir)
    .filter((name) => name.endsWith('schema.ts'))
    .map((name) => join(import.meta.dir, name))
  const text = files.map((path) => readFileSync(path, 'utf8').replaceAll(COMMENT, '')).join('')
  const types = new Map([...text.matchAll(TYPE)].map(([, name, is]) => [name!, is!]))
  const fieldsOf = (type: string): [name: string, type: string][] => {
    const is = types.get(type)!
    const own = [...is.matchAll(FIELD)].map(([, name, its]): [string, string] => [name!, its!])
    const [, from, omitted] = OMIT.exec(is) ?? []
    const taken = from === undefined ? [] : fieldsOf(from).filter(([name]) => !omitted!.includes(`'${name}'`))
    const ofClicks = is.includes('ClickDimensions &') ? DIMENSIONS : []
    return [
      ...own,
      ...taken,
      ...ofClicks.map((name): [string, string] => [name, 'string']),
      ...JOINED.flatMap((name) =>
        is.includes(`${name} &`) || is.includes(`& ${name}`) ? fieldsOf(name) : [],
      ),
    ]
  }
  const columns = fieldsOf('Database').flatMap(([table, type]) =>
    fieldsOf(type).map(([column, its]) => ({
      name: `${table}.${column}`,
      isNullable: its.includes('null'),
      isGenerated: its.includes('Generated<'),
    })),
  )
  return columns.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Tables that the other engine does without, and why. */
const ON_ONE_ENGINE: Record<Engine, Record<string, string>> = {
  sqlite: {
    click_files: 'only here are clicks in files',
    indexed_link_texts: 'what link_search shows of link_texts',
    link_search: 'an index of trigrams is a table here',
    link_search_config: 'belongs to link_search',
    link_search_data: 'belongs to link_search',
    link_search_idx: 'belongs to link_search',
    link_search_progress: 'new links are added to link_search later',
    redirect_state_changes: 'a server has to learn what a command has changed',
  },
  postgres: {
    changes: 'nodes have to learn what others have changed',
    clickhouse_progress: 'only beside it is ClickHouse used',
    clickhouse_deletions: 'as clickhouse_progress',
  },
}

/** What is in the database; whether it may be NULL, and whether a new row may leave it out. */
const COLUMNS: Record<Engine, string> = {
  // The columns of a primary key are never NULL, whether it says so or not.
  sqlite: `SELECT tables.name AS "table", columns.name AS "column", "notnull" = 0 AND pk = 0 AS nullable,
      "notnull" = 0 OR dflt_value IS NOT NULL AS optional
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type IN ('table', 'view') AND tables.name NOT LIKE 'sqlite_%' AND tables.name NOT LIKE 'kysely_%'`,
  postgres: `SELECT table_name AS "table", column_name AS "column", is_nullable = 'YES' AS nullable,
      'YES' IN (is_nullable, is_identity) OR column_default IS NOT NULL AS optional
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%'`,
}
