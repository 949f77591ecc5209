import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { aBotFact, aFact } from '../../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { type Engine, enginesToTest, useTestStore } from '../../../test/rigs/store/test-store.ts'
import { checkCounters } from '../../clicks/repair/check-counters.ts'
import { DAY_US, dayOf, HOUR_US, hourOf } from '../../runtime/clock.ts'
import { kyselyOf } from '../handles.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'

/** Everything that was, and the first day of which all single clicks are kept. */
const FIRST_DAY = dayOf(NOON_US)
const [MORNING, EVENING] = [hourOf(NOON_US) - 6, hourOf(NOON_US) + 6]

describe.each(enginesToTest('the migration to facts'))('the migration to facts on %s', (engine) => {
  const store = useTestStore(engine)

  test('keeps every single click of whole days, and of earlier days the hours', async () => {
    await goBack()
    await fill()
    await migrate(kyselyOf(store.db))
    const rows = await store.db.selectFrom('clicks').selectAll().orderBy('id').execute()
    const known = { country: 'DE', device: 'desktop', browser: 'Firefox', os: 'Linux' }
    const phone = { device: 'mobile', browser: 'Safari', os: 'iOS', referrer: 'x.example' }
    const morning = { clicked_at: (MORNING - 24) * HOUR_US, workspace_visitors: 0 }
    const evening = { clicked_at: (EVENING - 24) * HOUR_US, workspace_visitors: 0 }
    const ofWorkspace = { link_id: 0, via: '', clicks: 0, visitors: 0, workspace_visitors: 3 }
    const rare = { variant: 'a', via: 'qr', language: 'pt', alias: 'old' }
    const [first, none] = [
      { visitors: 1, workspace_visitors: 1 },
      { visitors: 0, workspace_visitors: 0 },
    ]
    const [atMorning, atEvening] = [MORNING * HOUR_US, EVENING * HOUR_US]
    expect(rows.map(({ id, ...row }) => [id, row])).toEqual([
      [-5, { ...aFact({ ...morning, ...ofWorkspace }) }],
      [-4, { ...aFact({ ...evening, ...ofWorkspace }) }],
      [-3, aFact({ ...morning, ...known, clicks: 5, visitors: 4 })],
      [-2, { ...aBotFact({ ...morning, bots: 3 }) }],
      [-1, aFact({ ...evening, ...phone, clicks: 4, visitors: 3 })],
      [51, aFact({ ...known, ...first, ...rare, clicked_at: atMorning + 5 })],
      [52, aFact({ ...phone, ...none, clicked_at: atMorning + 6 })],
      [53, aFact({ ...known, ...none, visitors: 1, link_id: 2, clicked_at: atEvening })],
      [54, aFact({ ...phone, ...none, clicked_at: atEvening })],
      [55, aBotFact({ clicked_at: atEvening })],
    ] as never)
    const { id } = await store.db
      .insertInto('clicks')
      .values(aFact())
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(id).toBe(56)
  })

  test('leaves figures that agree', async () => {
    await goBack()
    await fill()
    await run(`INSERT INTO journal_segments
      (segment, node, previous_segment, base_count, position, clicks, dead_letters, damaged_bytes)
      VALUES ('s', 'n', '', 0, 0, 17, 0, 0)`)
    await migrate(kyselyOf(store.db))
    const checked = await checkCounters(store.db)
    expect(checked.filter(({ broken }) => broken.length > 0)).toEqual([])
  })

  test('leaves a store without clicks without clicks', async () => {
    await goBack()
    await migrate(kyselyOf(store.db))
    expect(await store.db.selectFrom('clicks').select('id').execute()).toEqual([])
  })

  async function run(...statements: string[]): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(store.db)
  }

  async function goBack(): Promise<void> {
    await run(
      'DROP TABLE clicks',
      'DROP TABLE click_progress',
      'DROP TABLE IF EXISTS click_files',
      'DROP TABLE IF EXISTS clickhouse_progress',
      'DROP TABLE IF EXISTS clickhouse_deletions',
      'ALTER TABLE link_totals DROP COLUMN deleted',
      'DROP TABLE shares',
      'DROP TABLE email_reports',
      ...withoutOwnTraffic(engine),
      'DROP TABLE not_found_codes',
      ...withoutCase(engine),
      ...withoutPaths(engine),
      'DROP TABLE imported_clicks',
      ...WITHOUT_IMPORTS,
      ...WITHOUT_IMPORT_JOBS,
      ...MIGRATIONS['0001-first']![engine].filter((each) => OF_OLD_TABLES.test(each)),
      `DELETE FROM kysely_migration WHERE name >= '0002-facts'`,
    )
  }

  /** The day before the first is known by the hour; of the first day, each click. */
  async function fill(): Promise<void> {
    const days = [FIRST_DAY - 1, FIRST_DAY].map(
      (day) =>
        `CREATE TABLE clicks_of_${day} PARTITION OF clicks FOR VALUES FROM (${day * DAY_US}) TO (${(day + 1) * DAY_US})`,
    )
    if (engine === 'postgres') await run(...days, `SELECT setval('clicks_id_seq', 55)`)
    const single = (id: number, link: number, at: number, more: string) =>
      `INSERT INTO clicks VALUES (${id}, ${link}, 1, ${at}, ${more})`
    await run(
      `INSERT INTO click_dimensions VALUES (1, 'DE', 'desktop', 'Firefox', 'Linux', ''), (2, '', 'mobile', 'Safari', 'iOS', 'x.example')`,
      // One of the day before, of which others were removed.
      single(50, 1, EVENING * HOUR_US - DAY_US, `1, 7, 0, NULL`),
      single(
        51,
        1,
        MORNING * HOUR_US + 5,
        `1, 7, 0, '{"variant":"a","via":"qr","language":"pt","alias":"old"}'`,
      ),
      single(52, 1, MORNING * HOUR_US + 6, `2, 7, 0, NULL`),
      single(53, 2, EVENING * HOUR_US, `1, 7, 0, NULL`),
      single(54, 1, EVENING * HOUR_US, `2, NULL, 0, NULL`),
      single(55, 1, EVENING * HOUR_US, `0, 8, 1, NULL`),
      `INSERT INTO link_totals VALUES (1, 1, 12, 8, 4, 5), (2, 1, 1, 1, 0, 5)`,
      `INSERT INTO workspace_totals VALUES (1, 13, 7, 4, 5)`,
      ...hour(1, MORNING - 24, 1, '5, 4, 0'),
      ...hour(1, MORNING - 24, 0, '0, 0, 3'),
      ...hour(1, EVENING - 24, 2, '4, 3, 0'),
      ...hour(1, MORNING, 1, '1, 1, 0'),
      ...hour(1, MORNING, 2, '1, 0, 0'),
      ...hour(1, EVENING, 2, '1, 0, 0'),
      ...hour(1, EVENING, 0, '0, 0, 1'),
      ...hour(2, EVENING, 1, '1, 1, 0'),
      ...workspaceHour(MORNING - 24, '5, 3, 3'),
      ...workspaceHour(EVENING - 24, '4, 3, 0'),
      ...workspaceHour(MORNING, '2, 1, 0'),
      ...workspaceHour(EVENING, '2, 0, 1'),
    )
  }
})

const OLD_TABLES =
  'clicks|click_dimensions|link_hours|link_dimension_hours|link_days|link_days_progress|link_referrers'

/** Statements of the first migration that make a table of clicks, behind lines of comments. */
const OF_OLD_TABLES = new RegExp(
  `^(?:(?:--[^\\n]*)?\\n)*(?:CREATE TABLE|CREATE INDEX \\w+ ON|INSERT INTO) (?:${OLD_TABLES})\\b`,
)

const hour = (link: number, at: number, dimensions: number, counts: string) => [
  `INSERT INTO link_hours VALUES (${link}, ${at}, ${dimensions}, ${counts})`,
]

/** With all of it in one value of each dimension. */
const workspaceHour = (at: number, counts: string) => {
  const withoutBots = counts.replace(/\d+$/, '0')
  return [
    `INSERT INTO workspace_hours VALUES (1, 'total', ${at}, '', ${counts})`,
    ...['country', 'device', 'browser', 'os', 'referrer'].map(
      (name) => `INSERT INTO workspace_hours VALUES (1, '${name}', ${at}, 'x', ${withoutBots})`,
    ),
    ...(at === MORNING
      ? ['variant', 'via', 'language', 'alias'].map(
          (name) => `INSERT INTO workspace_hours VALUES (1, '${name}', ${at}, 'x', 1, 0, 0)`,
        )
      : []),
  ]
}

/** On PostgreSQL, the trigger on links goes with the column, and is as it was first. */
const withoutPaths = (engine: Engine): string[] => [
  `ALTER TABLE links DROP COLUMN forward_path ${engine === 'postgres' ? 'CASCADE' : ''}`,
  'ALTER TABLE deleted_links DROP COLUMN forward_path',
  ...MIGRATIONS['0001-first']![engine].filter((each) => each.includes('CREATE TRIGGER link_changed')),
]

/** On PostgreSQL, the trigger on domains goes with the column, and is as it was first. */
const withoutCase = (engine: Engine): string[] => [
  ...['path_prefix', 'case_insensitive'].map(
    (column) => `ALTER TABLE domains DROP COLUMN ${column} ${engine === 'postgres' ? 'CASCADE' : ''}`,
  ),
  ...['links', 'deleted_links'].map((table) => `ALTER TABLE ${table} DROP COLUMN spelling`),
  ...(engine === 'postgres'
    ? MIGRATIONS['0001-first']!.postgres.filter((each) => each.includes('CREATE TRIGGER domain_changed'))
    : []),
]

const WITHOUT_IMPORTS = [
  'DROP TABLE imports',
  'DROP INDEX links_of_import',
  ...['links', 'deleted_links'].flatMap((table) =>
    ['import_id', 'imported_at'].map((column) => `ALTER TABLE ${table} DROP COLUMN ${column}`),
  ),
]

const WITHOUT_IMPORT_JOBS = ['jobs', 'parts', 'groups', 'items'].map((name) => `DROP TABLE import_${name}`)

/** A column that a trigger or an index names cannot be dropped. */
const withoutOwnTraffic = (engine: Engine): string[] => [
  ...['uncounted_key_changed ON workspaces', ...SETTING_TRIGGERS].map(
    (trigger) => `DROP TRIGGER ${engine === 'sqlite' ? trigger.split(' ')[0] : trigger}`,
  ),
  'DROP INDEX workspaces_uncounted',
  'ALTER TABLE workspaces DROP COLUMN uncounted_key',
]
const SETTING_TRIGGERS = ['added', 'changed', 'removed'].map(
  (each) => `counting_setting_${each} ON workspace_settings`,
)
