import { Database } from 'bun:sqlite'

const CACHE_KB = 8_000

/** Where each text was used first. SQLite keeps what is more than its cache in a temporary file, so that millions take little memory. */
export class FirstUses {
  readonly #database = new Database(':memory:', { strict: true })
  readonly #insert
  readonly #find

  constructor() {
    this.#database.run('PRAGMA temp_store = FILE')
    this.#database.run('CREATE TEMP TABLE uses (text TEXT PRIMARY KEY, place TEXT NOT NULL) WITHOUT ROWID')
    this.#database.run(`PRAGMA temp.cache_size = -${CACHE_KB}`)
    this.#database.run('BEGIN')
    this.#insert = this.#database.prepare<null, [string, string]>('INSERT OR IGNORE INTO uses VALUES (?, ?)')
    this.#find = this.#database.prepare<{ place: string }, [string]>('SELECT place FROM uses WHERE text = ?')
  }

  /** Where the text was used before. Undefined if it is new: then `place` is where it is used first. */
  before(text: string, place: string): string | undefined {
    return this.#insert.run(text, place).changes === 1 ? undefined : this.#find.get(text)!.place
  }

  has(text: string): boolean {
    return this.#find.get(text) !== null
  }

  close(): void {
    this.#insert.finalize()
    this.#find.finalize()
    this.#database.close()
  }
}
