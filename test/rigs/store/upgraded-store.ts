import { kyselyOf } from '../../../src/store/handles.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { MIGRATIONS } from '../../../src/store/migrations/migrations.ts'
import { openStore, type Store, type StoreLocation } from '../../../src/store/open-store.ts'

const NOTES = [
  'ALTER TABLE links ADD COLUMN note TEXT',
  'CREATE TABLE notes (link_id INTEGER PRIMARY KEY, note TEXT)',
  'INSERT INTO notes SELECT id, title FROM links',
  `UPDATE links SET title = title || '!'`,
  'CREATE INDEX notes_by_text ON notes (note)',
  'CREATE INDEX links_by_note ON links (note)',
]

/** Opens a store as a later version would, which has one more migration. */
export async function openUpgraded(place: StoreLocation): Promise<Store> {
  const store = await openStore(place, 'same-thread')
  const later = { ...MIGRATIONS, '9002-notes': { sqlite: NOTES, postgres: NOTES } }
  await migrate(kyselyOf(store.db), { info() {} }, later)
  return store
}
