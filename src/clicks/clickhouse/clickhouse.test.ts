import { afterAll, afterEach, expect, test } from 'bun:test'
import { ClickHouse } from './clickhouse.ts'

let answer: () => Response | Promise<Response>
let requests: { options: Record<string, string>; headers: Headers }[] = []
const server = startServer()
const clickHouse = new ClickHouse(`http://an%40n:p%2Fss@127.0.0.1:${server.port}/ter%20n`)

afterEach(() => void (requests = []))
afterAll(() => server.stop(true))

test('a statement is sent with its user, its database and its values, and rows come back', async () => {
  answer = () => new Response('[1, "a\\nb"]\n[2, "c"]\n')
  const values = { id: 7, texts: ["it's", 'a\\b\tc\nd'], text: 'x\ty' }
  expect(await clickHouse.rows<[number, string]>('SELECT {id:Int64}', { values })).toEqual([
    [1, 'a\nb'],
    [2, 'c'],
  ])
  const [{ headers, options }] = requests as [(typeof requests)[0]]
  expect(headers.get('X-ClickHouse-User')).toBe('an@n')
  expect(headers.get('X-ClickHouse-Key')).toBe('p/ss')
  expect(options).toMatchObject({
    database: 'ter n',
    query: 'SELECT {id:Int64} FORMAT JSONCompactEachRow',
    param_id: '7',
    param_texts: "['it\\'s','a\\\\b\\tc\\nd']",
    param_text: 'x\\ty',
    wait_end_of_query: '1',
  })
})

test('an insert says every setting on which it depends', async () => {
  answer = () => new Response()
  await clickHouse.insert('clicks (batch)', '[1]', '1:1')
  expect(requests[0]!.options).toMatchObject({
    query: 'INSERT INTO clicks (batch) FORMAT JSONCompactEachRow',
    async_insert: '0',
    insert_deduplicate: '1',
    insert_deduplication_token: '1:1',
    max_insert_threads: '1',
    input_format_parallel_parsing: '0',
  })
})

test.each([
  ['500', '159', 'timeout'],
  ['500', '241', 'away'],
  ['500', '47', 'failed'],
  ['502', undefined, 'away'],
])('an error with status %s and number %s is %s', async (status, number, code) => {
  const headers = number === undefined ? {} : { 'X-ClickHouse-Exception-Code': number }
  answer = () => new Response('Code: 1', { status: Number(status), headers })
  await expect(clickHouse.run('SELECT 1')).rejects.toMatchObject({
    code,
    message: 'ClickHouse answers: Code: 1',
  })
})

test('a server that does not answer is away, and so is one whose client is closed; no error has the password', async () => {
  const silent = Promise.withResolvers<Response>()
  answer = () => silent.promise
  const closing = new ClickHouse(`http://ann:hunter2@127.0.0.1:${server.port}/tern`)
  const run = closing.run('SELECT 1')
  closing.close()
  await expect(run).rejects.toMatchObject({ code: 'away', message: expect.not.stringContaining('hunter2') })
  silent.resolve(new Response())
  const nowhere = new ClickHouse('http://ann:hunter2@127.0.0.1:1/tern')
  await expect(nowhere.run('SELECT 1')).rejects.toMatchObject({
    code: 'away',
    message: expect.not.stringContaining('hunter2'),
  })
})

function startServer() {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const options = Object.fromEntries(new URL(request.url).searchParams)
      requests.push({ options, headers: new Headers(request.headers) })
      return answer()
    },
  })
}
