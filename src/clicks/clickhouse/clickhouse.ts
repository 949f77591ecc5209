import type { Config } from '../../config/config.ts'
import { EngineError, type EngineErrorCode } from '../parquet/engine-error.ts'

/** Of every statement, because their defaults differ between versions. */
const SETTINGS = {
  output_format_json_quote_64bit_integers: '0',
  force_grouping_standard_compatibility: '1',
  // Otherwise an error in the middle of an answer comes after its status.
  wait_end_of_query: '1',
}

/**
 * Of inserts. Each is one block of one partition, so it is there whole or not at all, and on the disk when it is acknowledged. One
 * with the token of an earlier insert does nothing.
 */
const INSERT_SETTINGS = {
  async_insert: '0',
  insert_deduplicate: '1',
  max_insert_threads: '1',
  input_format_parallel_parsing: '0',
}

/** By the number of ClickHouse's error: 159 is a limit of time; 202, 241 and 252 are too many queries, too little memory and too many parts. */
const ERROR_CODES: Readonly<Record<string, EngineErrorCode>> = {
  159: 'timeout',
  202: 'away',
  241: 'away',
  252: 'away',
}

/** More than the server has for the same. */
const MARGIN_MS = 2_000
const STATEMENT_MS_MAX = 30_000

export type Value = number | string | readonly (number | string)[]

/** Rows that a statement reads like those of a table. */
export type ExternalTable = { name: string; structure: string; rows: readonly (readonly Value[])[] }

type QueryOptions = {
  /** Of `{name:Type}` in the text. */
  values?: Readonly<Record<string, Value>>
  tables?: readonly ExternalTable[]
  msMax?: number
}

/** The HTTP interface of a ClickHouse server. All errors are an `EngineError`. */
export class ClickHouse {
  readonly #origin: string
  readonly #database: string
  readonly #headers: Record<string, string>
  readonly #closing = new AbortController()

  constructor(url: string) {
    const { origin, pathname, username, password } = new URL(url)
    this.#origin = origin
    this.#database = decodeURIComponent(pathname.slice(1))
    this.#headers = {
      'X-ClickHouse-User': decodeURIComponent(username) || 'default',
      'X-ClickHouse-Key': decodeURIComponent(password),
    }
  }

  /** Gives up what is under way. The server may still do it. */
  close(): void {
    this.#closing.abort()
  }

  /** Each row is the list of its values. */
  async rows<Row extends readonly unknown[]>(
    text: string,
    { values = {}, tables = [], msMax = STATEMENT_MS_MAX }: QueryOptions = {},
  ): Promise<Row[]> {
    const parameters = Object.entries(values).map(([name, value]) => [`param_${name}`, textOf(value)])
    const options = { ...Object.fromEntries(parameters), max_execution_time: String(msMax / 1000) }
    if (tables.length === 0)
      return rowsOf(await this.#send({ text: `${text} FORMAT ${FORMAT}`, options, msMax }))
    const form = new FormData()
    for (const { name, structure, rows } of tables) {
      form.set(name, new Blob([linesOf(rows)]), name)
      Object.assign(options, { [`${name}_structure`]: structure, [`${name}_format`]: FORMAT })
    }
    return rowsOf(await this.#send({ text: `${text} FORMAT ${FORMAT}`, options, msMax, body: form }))
  }

  /** A statement without an answer. */
  async run(text: string, msMax = STATEMENT_MS_MAX): Promise<void> {
    await this.#send({ text, options: {}, msMax })
  }

  /** Does nothing if an earlier insert had the same token. */
  async insert(into: string, lines: string, token: string): Promise<void> {
    const options = { ...INSERT_SETTINGS, insert_deduplication_token: token }
    await this.#send({
      text: `INSERT INTO ${into} FORMAT ${FORMAT}`,
      options,
      msMax: STATEMENT_MS_MAX,
      body: lines,
    })
  }

  async #send({ text, options, msMax, body = '' }: Statement): Promise<string> {
    const parameters = { ...SETTINGS, ...options, database: this.#database, query: text }
    const signal = AbortSignal.any([AbortSignal.timeout(msMax + MARGIN_MS), this.#closing.signal])
    let response: Response
    let answer: string
    try {
      const url = `${this.#origin}/?${new URLSearchParams(parameters)}`
      // The server may close a connection that is kept just when a statement is sent.
      const keepalive = false
      response = await fetch(url, { method: 'POST', headers: this.#headers, body, signal, keepalive })
      answer = await response.text()
    } catch (error) {
      throw new EngineError('away', `ClickHouse does not answer: ${(error as Error).message}`, {
        cause: error,
      })
    }
    if (response.ok) return answer
    const number = response.headers.get('X-ClickHouse-Exception-Code')
    // Without a number, it is the answer of a proxy.
    const code = number === null ? 'away' : (ERROR_CODES[number] ?? 'failed')
    throw new EngineError(code, `ClickHouse answers: ${answer.slice(0, 1_000)}`)
  }
}

export const openClickHouse = ({ clickHouseUrl: url }: Pick<Config, 'clickHouseUrl'>) =>
  url === undefined ? undefined : new ClickHouse(url)

type Statement = {
  text: string
  options: Record<string, string>
  msMax: number
  body?: FormData | string
}

const FORMAT = 'JSONCompactEachRow'

export const linesOf = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => JSON.stringify(row)).join('\n')

const rowsOf = <Row>(answer: string): Row[] =>
  answer === '' ? [] : (JSON.parse(`[${answer.trimEnd().replaceAll('\n', ',')}]`) as Row[])

function textOf(value: Value): string {
  if (typeof value !== 'object') return String(value).replaceAll(/[\\\t\n]/g, escaped)
  return `[${value.map((each) => (typeof each === 'number' ? each : `'${each.replaceAll(/[\\'\t\n]/g, escaped)}'`))}]`
}

const escaped = (character: string): string => `\\${ESCAPES[character] ?? character}`
const ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n' }
