import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { lockedStore } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { startVisits } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

test('while the database is locked visitors are redirected, and their clicks are counted afterwards', async () => {
  await using tern = await Tern.start()
  await tern.makeLinks('first', 'second', 'third')
  const release = await lockedStore(tern)
  const load = await startVisits(tern, { visitors: 8 })
  await load.continues(1_000)
  const made = tern.api('POST', '/api/links', { original_url: 'https://example.com/' })
  await load.stop()
  using database = new Database(storePath(tern.dataDir), { readonly: true })
  expect(database.query('SELECT * FROM link_totals').all()).toEqual([])

  release()
  expect((await made).status).toBe(201)
  await expectInvariants(tern)
})
