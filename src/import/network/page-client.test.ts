import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fixture, itemsOf } from '../../../test/rigs/import-fixtures.ts'
import { networkImport } from '../../../test/rigs/import/network-rig.ts'
import { KEY } from '../../../test/rigs/import/source-apis.ts'
import {
  broken,
  cut,
  html,
  json,
  type Respond,
  type SourceServer,
  startSourceServer,
  statusOnly,
} from '../../../test/rigs/import/source-server.ts'
import { PAGE_LENGTH_MAX } from '../files/json-pages.ts'
import { IMPORT_LIMITS } from './page-client.ts'

let server: SourceServer
beforeEach(async () => (server = await startSourceServer(json(PAGE))))
afterEach(() => server.stop())

const LINK = { shortUrl: 'https://s.example/abc', shortCode: 'abc', longUrl: 'https://example.com/' }
const PAGE = { shortUrls: { data: [LINK], pagination: { pagesCount: 1, totalItems: 1 } } }
const ITEM = [{ at: 'link 1', link: expect.objectContaining({ code: 'abc' }) }]

const shlink = (options?: Parameters<typeof networkImport>[2]) => networkImport('shlink', server.url, options)

describe('a limit is waited for', () => {
  test.each<[what: string, status: number, headers: Record<string, string>, seconds: number, time: string]>([
    ['in seconds', 429, { 'Retry-After': '90' }, 90, '14:06:30'],
    ['to a date', 429, { 'Retry-After': 'Sun, 29 Nov 2026 14:20:00 GMT' }, 900, '14:20:00'],
    ['to a time of the limit', 429, { 'X-RateLimit-Reset': '1795964400' }, 3300, '15:00:00'],
    ['a while of the limit', 429, { 'RateLimit-Reset': '30' }, 30, '14:05:30'],
    ['that passed', 429, { 'Retry-After': 'Sun, 29 Nov 2026 14:00:00 GMT' }, 1, '14:05:01'],
    ['without a time', 429, {}, 1, '14:05:01'],
    ['of a server that is busy', 503, { 'Retry-After': '5' }, 5, '14:05:05'],
  ])('%s', async (_, status, headers, seconds, time) => {
    server.first(statusOnly(status, headers))
    const { items, waits, notices } = shlink()
    expect(await items()).toEqual(ITEM)
    expect(waits).toEqual([seconds * 1000])
    const trouble = status === 429 ? 'The limit of Shlink is reached' : 'Shlink answers with status 503'
    expect(notices).toEqual([`${trouble}; going on at ${time} UTC.`])
  })

  test('unless it is of more than two hours', async () => {
    server.first(statusOnly(429, { 'Retry-After': '86400' }))
    const { items, waits } = shlink()
    await expect(items()).rejects.toThrow(
      'The limit of Shlink is reached until 2026-11-30 14:05:00 UTC. Run the import again then: nothing is created twice.',
    )
    expect(waits).toEqual([])
  })
})

describe('what may pass is tried again', () => {
  const troubles: [what: string, answer: Respond, trouble: string][] = [
    ['an error of the server', statusOnly(500), 'Shlink answers with status 500'],
    ['a broken connection', broken, 'Shlink does not respond'],
    ['an answer that is cut off', cut, 'The answer of Shlink is cut off'],
    [
      'a page that ends too early',
      (_, response) => response.writeHead(200).end('{"shortUrls":'),
      'A page of Shlink is not valid JSON',
    ],
  ]

  test.each(troubles)('%s', async (_, answer, trouble) => {
    server.first(answer, answer, answer)
    const { items, waits, notices } = shlink()
    expect(await items()).toEqual(ITEM)
    expect(waits).toEqual([1000, 2000, 4000])
    expect(notices[2]).toBe(`${trouble}; going on at 14:05:07 UTC.`)
  })

  test.each(troubles)('%s, but not without an end', async (_, answer, trouble) => {
    server.first(...Array<Respond>(IMPORT_LIMITS.attempts).fill(answer))
    await expect(shlink().items()).rejects.toThrow(
      `${trouble}, after 6 requests. Run the import again later: nothing is created twice.`,
    )
    expect(server.requests).toHaveLength(IMPORT_LIMITS.attempts)
  })

  test('a server that is silent', async () => {
    server.first(() => {})
    const { items, notices } = shlink({ timeoutMs: 300 })
    expect(await items()).toEqual(ITEM)
    expect(notices).toEqual(['Shlink does not respond; going on at 14:05:01 UTC.'])
  })
})

describe('what does not pass ends the import with a sentence', () => {
  const notTheApi = (what: string) =>
    `${server.url} does not answer as the API of Shlink does${what} Check the URL.`
  const answerOf =
    (status: number, type: string, body: string): Respond =>
    (_, response) =>
      response.writeHead(status, { 'Content-Type': type }).end(body)

  test.each<[what: string, answer: Respond, sentence: () => string]>([
    ['a page to sign in', html, () => notTheApi(': it sent text/html, not JSON.')],
    ['no type', (_, response) => response.end('OK'), () => notTheApi(': it sent no type, not JSON.')],
    ['another path', statusOnly(404), () => notTheApi(' (status 404).')],
    ['the page of a firewall', answerOf(403, 'text/html', '<p>Forbidden'), () => notTheApi(' (status 403).')],
    [
      'a redirect to itself',
      (_, response) => response.writeHead(302, { Location: '?' }).end(),
      () => `${server.url} leads nowhere: it redirects too often. Check the URL.`,
    ],
    ['a list elsewhere', json({ data: [] }), () => 'The answer of Shlink has no list of links'],
    ['a list that is a text', json({ shortUrls: { data: 'none' } }), () => 'has no list of links'],
    [
      'lists in lists',
      json(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)),
      () => 'A page of Shlink is no page of links: it has too many lists and objects',
    ],
  ])('%s', async (_, answer, sentence) => {
    server.first(...Array<Respond>(IMPORT_LIMITS.attempts).fill(answer))
    await expect(shlink().items()).rejects.toThrow(sentence())
  })

  test('a page of more than 64 MB', async () => {
    server.first(endless)
    const { items, waits } = shlink()
    await expect(items()).rejects.toThrow('A page of Shlink is too large to be read.')
    expect(waits).toEqual([])
  })

  test('a host that nobody knows', async () => {
    await expect(networkImport('shlink', 'https://nowhere.invalid').items()).rejects.toThrow(
      'The host of https://nowhere.invalid is not known. Check the URL.',
    )
  })
})

test('control characters in titles are read, as Bitly sends them', async () => {
  const page = readFileSync(fixture('bitly/bitlinks-page-not-json.txt'))
  server.first(json({ groups: [{ guid: 'a' }] }), (_, response) => response.end(page))
  const items = await networkImport('bitly', server.url).items()
  expect(items).toEqual(await itemsOf('bitly', fixture('bitly/bitlinks-page-not-json.txt')))
})

describe('the key', () => {
  test.each(['shlink', 'yourls'])('is not sent to where %s redirects, and not shown', async (source) => {
    const other = await startSourceServer(json(PAGE))
    const location = `${other.url}/?signature=${encodeURIComponent(KEY)}`
    server.first((_, response) => response.writeHead(302, { Location: location }).end())
    const { items } = networkImport(source, server.url)
    await expect(items()).rejects.toThrow(
      `${server.url} redirects to ${new URL(other.url).host}. The key is not sent there: name the right URL.`,
    )
    expect(other.requests).toEqual([])
    await other.stop()
  })

  test('goes along where the same server redirects', async () => {
    server.first((_, response) => response.writeHead(301, { Location: '/rest/v3/moved' }).end())
    expect(await shlink().items()).toEqual(ITEM)
    expect(server.requests.map(({ url, headers }) => [url.pathname, headers['x-api-key']])).toEqual([
      ['/rest/v3/short-urls', KEY],
      ['/rest/v3/moved', KEY],
    ])
  })
})

/** Of JSON, without an end. */
const endless: Respond = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const chunk = Buffer.alloc(1024 * 1024, '[')
  let left = PAGE_LENGTH_MAX / chunk.byteLength + 1
  const write = (): void => {
    while (left-- > 0 && !response.destroyed)
      if (!response.write(chunk)) return void response.once('drain', write)
    response.end()
  }
  write()
}
