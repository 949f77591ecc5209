import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/**
 * ClickHouse as a library behind the part of its HTTP interface that Tern uses: a statement at a time, settings and parameters in the
 * query of the URL, rows of an insert in the body, external tables in a form.
 */
type Session = { query(text: string, format: string): string }

const [packages, folder, port] = process.argv.slice(2) as [string, string, string]
const { Session } = (await import(join(packages, 'chdb/index.mjs'))) as {
  Session: new (path: string) => Session
}
const session = new Session(folder)
const run = (text: string) => session.query(text, 'TabSeparated')

const OPTIONS = new Set(['database', 'query', 'wait_end_of_query'])

createServer(async (request, response) => {
  try {
    response.end(await answer(request))
  } catch (error) {
    const { message } = error as Error
    const [, code = '0'] = /Code: (\d+)/.exec(message) ?? []
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(message)
  }
}).listen(Number(port), '127.0.0.1')

process.stdin.on('end', () => process.exit()).resume()

async function answer(request: IncomingMessage): Promise<string> {
  const { searchParams: options } = new URL(request.url!, 'http://localhost')
  const body = await buffer(request)
  // What follows is done at once, so no other request comes between.
  const tables = await externalTables(request.headers['content-type'], body)
  const settings = [...options.keys()].filter(
    (name) => !OPTIONS.has(name) && !name.startsWith('param_') && !/_(structure|format)$/.test(name),
  )
  if (options.has('database')) run(`USE \`${options.get('database')}\``)
  try {
    for (const [name, value] of options)
      if (name.startsWith('param_') || settings.includes(name)) run(`SET ${name} = ${literal(value)}`)
    if (tables.length === 0) return run(`${options.get('query') ?? ''}\n${body}`.trim())
    for (const table of tables) makeTable(table, options)
    return run(options.get('query')!)
  } finally {
    for (const name of settings) run(`SET ${name} = DEFAULT`)
    for (const { name } of tables) run(`DROP TABLE IF EXISTS ${name} SYNC`)
  }
}

type Table = { name: string; rows: string }

async function externalTables(type: string | undefined, body: Buffer): Promise<Table[]> {
  if (!type?.startsWith('multipart/form-data')) return []
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
  const files = [...form] as [string, File | string][]
  return Promise.all(
    files.map(async ([name, file]) => ({ name, rows: typeof file === 'string' ? file : await file.text() })),
  )
}

function makeTable({ name, rows }: Table, options: URLSearchParams): void {
  run(`CREATE OR REPLACE TABLE ${name} (${options.get(`${name}_structure`)}) ENGINE = Memory`)
  if (rows !== '') run(`INSERT INTO ${name} FORMAT ${options.get(`${name}_format`)}\n${rows}`)
}

const literal = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
