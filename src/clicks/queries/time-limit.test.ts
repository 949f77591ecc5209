import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { aFact, insertFacts, queriesOf } from '../../../test/rigs/clicks/fact-rows.ts'
import { enginesToTest, useTestStore } from '../../../test/rigs/store/test-store.ts'

const isMissing = !enginesToTest('reports that take too long').includes('postgres')

describe.skipIf(isMissing)('on PostgreSQL', () => {
  const store = useTestStore('postgres')

  test('a report that takes longer than its time limit is refused, with what can be done about it', async () => {
    await insertFacts(store.relaxedDb, [aFact({})])
    const query = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER, groups: [{ by: [] }] }
    expect((await queriesOf(store).answer(query))[0]).toMatchObject([{ clicks: 1 }])
    await sql`ALTER TABLE clicks RENAME TO all_clicks`.execute(store.db)
    await sql`CREATE VIEW clicks AS SELECT * FROM all_clicks WHERE pg_sleep(60) IS NOT NULL`.execute(store.db)
    await expect(queriesOf(store).answer(query)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: {
        from: [
          'The range has more clicks than the database adds up within its time limit. Choose a shorter range; or the operator sets CLICKHOUSE_URL, for ranges of any length.',
        ],
      },
    })
  })
})
