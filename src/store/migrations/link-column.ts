import { type Migration, sql, SqliteAdapter } from 'kysely'

const TYPES = {
  text: { sqlite: 'TEXT', postgres: 'TEXT COLLATE "C"' },
  number: { sqlite: 'INTEGER', postgres: 'BIGINT' },
}

/** Gives `links` a column that is NULL in most of them, on either engine. For redirects on other nodes, see how-to-add.md. */
export const linkColumn = (name: string, type: keyof typeof TYPES): Migration => ({
  async up(db) {
    const engine = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
    // In the order in which a creation locks them, so that neither waits for the other.
    if (engine === 'postgres') await sql`LOCK TABLE links, deleted_links IN ACCESS EXCLUSIVE MODE`.execute(db)
    for (const table of ['links', 'deleted_links'])
      await sql.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${TYPES[type][engine]}`).execute(db)
  },
})
