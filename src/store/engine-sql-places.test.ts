import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { enginesToTest, useSharedStore } from '../../test/rigs/store/test-store.ts'
import { joinEach, type RowInsert, wholeNumber, writeRows } from './engine-sql.ts'

const HOURS: RowInsert = {
  table: 'link_hours',
  columns: ['link_id', 'hour', 'dimensions_id', 'clicks', 'visitors', 'bots'],
}
const [LINK, HOURS_OF_LINK] = [1, 5_000]

describe.each(enginesToTest('rows of each place'))('the rows of each of a few places, on %s', (engine) => {
  const store = useSharedStore(engine)
  beforeAll(async () => {
    const rows = Array.from({ length: HOURS_OF_LINK }, (_, hour) => [LINK, hour, 0, hour, 0, 0])
    await writeRows(store.db, HOURS, rows)
    await sql`ANALYZE link_hours`.execute(store.db)
  })

  const question = () => {
    const of = joinEach(store.db, sql`places`, {
      table: 'link_hours',
      where: sql`link_id = ${LINK} AND hour >= first AND hour < next`,
    })
    return sql<{ first: number; hour: number; clicks: number }>`
      WITH RECURSIVE places (first, next) AS (
        SELECT ${wholeNumber(0)}, ${wholeNumber(2)}
        UNION ALL SELECT first + 100, next + 100 FROM places WHERE first < 3000
      ) SELECT first, hour, clicks FROM ${of}`
  }

  test('are those of the place, and come with it', async () => {
    const { rows } = await question().execute(store.db)
    const expected = Array.from({ length: 31 }, (_, place) =>
      [0, 1].map((n) => ({ first: place * 100, hour: place * 100 + n, clicks: place * 100 + n })),
    )
    expect(rows.toSorted((a, b) => a.hour - b.hour)).toEqual(expected.flat())
  })

  test('are found by the index, once for each place', async () => {
    const explained = { sqlite: sql`EXPLAIN QUERY PLAN`, postgres: sql`EXPLAIN` }[engine]
    const { rows } = await sql`${explained} ${question()}`.execute(store.db)
    expect(JSON.stringify(rows)).toMatch(/link_id.*hour ?>.*hour ?</)
    expect(JSON.stringify(rows)).not.toContain('Join Filter')
  })
})
