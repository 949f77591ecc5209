import type { Database } from 'bun:sqlite'

/** What decides who a request is from, and what they may do. */
const TABLES = ['api_keys', 'users', 'workspaces', 'members']
/** Counting a request changes nothing of the kind. */
const UNLESS_COUNTED = 'WHEN NEW.last_used_at IS OLD.last_used_at'

/**
 * A text that is another one once any of these tables has changed. Other connections are seen by SQLite's `data_version`; the
 * triggers, which are of this connection alone, see its own changes. Theirs is a random number: after a rollback it must not be the
 * same for two changes.
 */
export function watchCallers(database: Database): () => string | undefined {
  database.run('CREATE TEMP TABLE callers_version (version INTEGER)')
  database.run('INSERT INTO callers_version VALUES (0)')
  for (const table of TABLES)
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      database.run(`CREATE TEMP TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON main.${table}
        ${table === 'api_keys' && event === 'UPDATE' ? UNLESS_COUNTED : ''}
        BEGIN UPDATE callers_version SET version = random(); END`)
  const read = database.query<{ version: string }, []>(
    `SELECT version || ' ' || data_version AS version FROM temp.callers_version, pragma_data_version`,
  )
  return () => {
    try {
      return read.get()!.version
    } catch {
      // The next statement that reads the tables gets the error.
      return undefined
    }
  }
}
