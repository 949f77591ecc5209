import { join } from 'node:path'
import type { RowInsert } from '../../src/store/engine-sql.ts'
import { findPostgres } from '../../test/rigs/store/postgres-server.ts'

/** `taken`: when psql has all rows so far. */
type Copy = { psql: Bun.Subprocess<'pipe', 'ignore', 'inherit'>; taken: unknown }

/** By COPY, a connection for each table: psql reads the rows from its input. */
export class CopyWriter {
  readonly #databaseUrl: string
  readonly #copies = new Map<RowInsert, Copy>()

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  async write(target: RowInsert, rows: readonly unknown[][]): Promise<void> {
    if (rows.length === 0) return
    let copy = this.#copies.get(target)
    if (copy === undefined) this.#copies.set(target, (copy = this.#begin(target)))
    const lines = rows.map(lineOf).join('')
    // The rows before, not these: the next ones are made while these are written.
    await copy.taken
    void copy.psql.stdin.write(lines)
    copy.taken = copy.psql.stdin.flush()
  }

  async end(): Promise<void> {
    for (const [{ table }, { psql, taken }] of this.#copies) {
      await taken
      await psql.stdin.end()
      if ((await psql.exited) !== 0) throw new Error(`The rows of ${table} could not be copied.`)
    }
    this.#copies.clear()
  }

  #begin({ table, columns }: RowInsert): Copy {
    const statement = `COPY ${table} (${columns.join(', ')}) FROM STDIN`
    const words = ['--no-psqlrc', '--quiet', '--dbname', this.#databaseUrl, '--command', statement]
    const program = join(findPostgres()!, 'psql')
    return {
      psql: Bun.spawn([program, ...words], { stdin: 'pipe', stdout: 'ignore', stderr: 'inherit' }),
      taken: undefined,
    }
  }
}

const lineOf = (row: readonly unknown[]): string => `${row.map(fieldOf).join('\t')}\n`

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function fieldOf(value: unknown): unknown {
  if (value === null) return '\\N'
  return typeof value === 'string' ? value.replaceAll(/[\\\n\r\t]/g, (found) => ESCAPES[found]!) : value
}
