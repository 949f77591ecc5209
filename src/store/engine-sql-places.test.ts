import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { enginesToTest, useSharedStore } from '../../test/rigs/store/test-store.ts'
import { aFact, insertFacts } from '../../test/rigs/clicks/fact-rows.ts'
import { joinEach, wholeNumber } from './engine-sql.ts'

const [LINK, CLICKS] = [1, 5_000]

describe.each(enginesToTest('rows of each place'))('the rows of each of a few places, on %s', (engine) => {
  const store = useSharedStore(engine)
  beforeAll(async () => {
    const facts = Array.from({ length: CLICKS }, (_, i) => aFact({ link_id: LINK, clicked_at: i, clicks: i }))
    await insertFacts(store.relaxedDb, facts)
    await sql`ANALYZE clicks`.execute(store.db)
  })

  const question = () => {
    const of = joinEach(store.db, sql`places`, {
      table: 'clicks',
      where: sql`link_id = ${LINK} AND clicked_at >= first AND clicked_at < next`,
    })
    return sql<{ first: number; time: number; clicks: number }>`
      WITH RECURSIVE places (first, next) AS (
        SELECT ${wholeNumber(0)}, ${wholeNumber(2)}
        UNION ALL SELECT first + 100, next + 100 FROM places WHERE first < 3000
      ) SELECT first, clicked_at AS time, clicks FROM ${of}`
  }

  test('are those of the place, and come with it', async () => {
    const { rows } = await question().execute(store.db)
    const expected = Array.from({ length: 31 }, (_, place) =>
      [0, 1].map((n) => ({ first: place * 100, time: place * 100 + n, clicks: place * 100 + n })),
    )
    expect(rows.toSorted((a, b) => a.time - b.time)).toEqual(expected.flat())
  })

  test('are found by the index, once for each place', async () => {
    const explained = { sqlite: sql`EXPLAIN QUERY PLAN`, postgres: sql`EXPLAIN` }[engine]
    const { rows } = await sql`${explained} ${question()}`.execute(store.db)
    expect(JSON.stringify(rows)).toMatch(/link_id.*clicked_at ?>.*clicked_at ?</)
    expect(JSON.stringify(rows)).not.toContain('Join Filter')
  })
})
