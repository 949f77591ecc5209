import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openReadOnly } from './open-read-only.ts'
import { openSqliteStore, storePath } from './sqlite/open-sqlite-store.ts'
import { MovedStore, UnfinishedMove } from './store-identity.ts'

const folders = temporaryFolders()
let dataDir: string

beforeEach(async () => {
  dataDir = folders.make()
  await (await openSqliteStore(dataDir, 'same-thread')).close()
})

afterEach(folders.remove)

describe('a store', () => {
  test('has an id of its own, and is open', async () => {
    const idOf = async () => {
      const store = await openSqliteStore(folders.make(), 'same-thread')
      const row = await store.db.selectFrom('store_identity').selectAll().executeTakeFirstOrThrow()
      await store.close()
      return row
    }
    const [one, another] = [await idOf(), await idOf()]
    expect(one).toEqual({ id: one.id, filled_from: null, moved_to: null, moved_place: null, moved_at: null })
    expect(one.id).toMatch(/^[0-9a-f]{32}$/)
    expect(one.id).not.toBe(another.id)
    await read()
  })

  test('that is being filled cannot be opened', async () => {
    change(`UPDATE store_identity SET filled_from = 'x'`)
    for (const error of await refusals()) {
      expect(error).toBeInstanceOf(UnfinishedMove)
      expect(error.message).toBe(
        'A move into this store is not finished: run the same tern store move once more. Until then its source is good.',
      )
    }
  })

  test.each([
    ['postgres://db.example.com/tern', 'set DATABASE_URL to it'],
    ['sqlite:/var/lib/tern', 'unset DATABASE_URL, with DATA_DIR that folder'],
  ])('that was moved to %s is refused, and says what to do', async (place, advice) => {
    change(`UPDATE store_identity SET moved_to = 'x', moved_place = '${place}', moved_at = 1795262400000000`)
    for (const error of await refusals()) {
      expect(error).toBeInstanceOf(MovedStore)
      expect(error.message).toBe(
        `This store was moved to ${place} at 2026-11-21T12:00:00Z: ${advice}. To use it again as it was then, without all that has changed since, see tern store reopen --help.`,
      )
    }
  })

  test('that was moved away is not brought up to date by a newer version', async () => {
    change('DELETE FROM kysely_migration')
    change(`UPDATE store_identity SET moved_to = 'x', moved_place = 'postgres://db/tern', moved_at = 0`)
    await expect(open()).rejects.toBeInstanceOf(MovedStore)
  })

  test('whose first start was killed is read as it is', async () => {
    change('DROP TABLE store_identity')
    await read()
  })
})

function change(statement: string): void {
  const database = new Database(storePath(dataDir))
  database.run(statement)
  database.close()
}

const open = () => openSqliteStore(dataDir, 'same-thread').then((store) => store.close())
const read = async () => openReadOnly({ dataDir }).close()

/** Both ways in. */
async function refusals(): Promise<Error[]> {
  const refused = (error: Error) => error
  return [await open().then(() => new Error(), refused), await read().then(() => new Error(), refused)]
}
