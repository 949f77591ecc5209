import { afterEach, describe, expect, test } from 'bun:test'
import { networkImport } from '../../../test/rigs/import/network-rig.ts'
import { linksIn, serviceOf, SOURCE_APIS } from '../../../test/rigs/import/source-apis.ts'
import {
  json,
  type Respond,
  type SourceServer,
  startSourceServer,
} from '../../../test/rigs/import/source-server.ts'
import type { SourceItem } from '../source.ts'

let server: SourceServer | undefined
afterEach(() => server?.stop())

const apiOf = (source: string) => SOURCE_APIS.find((api) => api.source === source)!

describe.each(['kutt', 'shlink'])('while the links of %s are read', (source) => {
  const links = linksIn(apiOf(source))

  test('one is deleted, and no other is lost', async () => {
    const { codes, notices } = await readWhile(source, (list, request) => {
      if (request === 2) list.splice(3, 1)
    })
    // The deleted one was read before.
    expect(codes).toEqual(codesOf(links))
    expect(notices).toEqual([])
  })

  test('one is made, and comes too, each once', async () => {
    const newLink = { ...links[0], ...NEW }
    const { codes, notices } = await readWhile(source, (list, request) => {
      if (request === 2) list.unshift(newLink)
    })
    expect(codes).toEqual(codesOf([...links, newLink]))
    expect(notices).toEqual([])
  })

  test('one is made and another deleted, and no other is lost', async () => {
    const { codes } = await readWhile(source, (list, request) => {
      if (request === 2) list.splice(0, 2, { ...links[0], ...NEW })
      if (request === 3) list.push({ ...links[0], ...NEW, id: 'another', shortUrl: 'https://s.example/b' })
    })
    expect(codes).toEqual(expect.arrayContaining(codesOf(links)))
  })

  test('the list changes again and again, and that is said', async () => {
    const { codes, notices } = await readWhile(source, (list, request) => {
      const url = `https://s.example/x${request}`
      if (request % 3 === 0) list.unshift({ ...links[0], id: url, link: url, shortUrl: url })
    })
    expect(codes).toEqual(expect.arrayContaining(codesOf(links)))
    expect(notices).toEqual([
      expect.stringMatching(
        /^\w+ says that it has \d+ links, and \d+ were read\. Its list has changed in the meantime: run the import again\.$/,
      ),
    ])
  })
})

describe.each(['dub', 'rebrandly'])('while the links of %s are read', (source) => {
  test('the one after which a page begins is deleted, and no other is lost', async () => {
    const all = linksIn(apiOf(source)).length
    let deleted = 0
    const { codes } = await readWhile(source, (list) => {
      const { searchParams } = server!.requests.at(-1)!.url
      const cursor = searchParams.get('startingAfter') ?? searchParams.get('last')
      const place = list.findIndex(({ id }) => id === cursor)
      if (deleted === 0 && place !== -1) deleted = list.splice(place, 1).length
    })
    expect([deleted, codes.length]).toEqual([1, all])
  })
})

const NEW = {
  id: 'new',
  address: 'new-one',
  shortCode: 'new-one',
  link: 'https://s.example/new-one',
  shortUrl: 'https://s.example/new-one',
}

describe('pages without an end', () => {
  test.each<[source: string, what: string, page: unknown, requests: number]>([
    ['shortio', 'with the same token', { links: [{ id: '1' }], nextPageToken: 'same' }, 3],
    ['dub', 'of a server that starts over', [{ id: 'a' }, { id: 'b' }], 2],
    ['kutt', 'of a server that skips nothing', { data: [{ id: 'a' }] }, 11],
  ])('of %s %s end with a sentence', async (source, _, page, requests) => {
    const domains: Respond = (request, response) =>
      json(request.url.pathname === '/api/domains' ? [{ id: 7 }] : page)(request, response)
    server = await startSourceServer(domains)
    await expect(networkImport(source, server.url).items()).rejects.toThrow(
      'sends the same pages again and again.',
    )
    expect(server.requests).toHaveLength(requests)
  })
})

test('what is no link is refused in its place, and what has no ID is read', async () => {
  const data = [null, 'text', { shortCode: 'abc', longUrl: 'https://example.com/' }]
  server = await startSourceServer(json({ shortUrls: { data, pagination: { pagesCount: 1 } } }))
  expect(await networkImport('shlink', server.url).items()).toEqual([
    { at: 'link 1', refused: 'It is not a JSON object.' },
    { at: 'link 2', refused: 'It is not a JSON object.' },
    { at: 'link 3', link: expect.objectContaining({ code: 'abc' }) },
  ])
})

test('the next page of Bitly is read from the server of the first, whatever URL it says', async () => {
  const api = apiOf('bitly')
  server = await startSourceServer(serviceOf(api, () => linksIn(api)))
  await networkImport('bitly', server.url).items()
  expect(server.requests.map(({ url }) => url.searchParams.get('search_after'))).toEqual([
    null,
    null,
    '15',
    '30',
    null,
  ])
})

describe('of several lists, one is read', () => {
  const EMPTY_GROUP = '/v4/groups/Bempty00000/bitlinks'

  test.each([
    ['bitly', 'Without links', EMPTY_GROUP],
    ['bitly', 'Bempty00000', EMPTY_GROUP],
    ['rebrandly', 'w1', 'w1'],
    ['shortio', '7', '7'],
  ])('of %s: %s', async (source, list, place) => {
    const links = linksIn(apiOf(source)).map((link) => ({ ...link, DomainId: 7 }))
    server = await startSourceServer(serviceOf(apiOf(source), () => links))
    await networkImport(source, server.url, { list }).items()
    const [, ...requests] = server.requests
    const places = requests.map(
      ({ url, headers }) => headers.workspace ?? url.searchParams.get('domain_id') ?? url.pathname,
    )
    expect(new Set(places)).toEqual(new Set([place]))
  })

  test.each([
    ['bitly', 'Bitly has no group "Sales". There are: fixtureuser, Without links.'],
    ['shlink', 'The links of Shlink are one list: leave out --list.'],
  ])('not of %s, which has none of this name', async (source, sentence) => {
    const api = apiOf(source)
    server = await startSourceServer(serviceOf(api, () => linksIn(api)))
    await expect(networkImport(source, server.url, { list: 'Sales' }).items()).rejects.toThrow(sentence)
  })
})

type Change = (links: Record<string, unknown>[], request: number) => void

/** What is read of a source whose links change before a request is answered. */
async function readWhile(source: string, change: Change) {
  const api = apiOf(source)
  const links = linksIn(api)
  let requests = 0
  const service = serviceOf(api, () => {
    change(links, ++requests)
    return links
  })
  server = await startSourceServer(service)
  const { items, notices } = networkImport(source, server.url)
  return { codes: (await items()).map(codeIn).sort(), notices }
}

const codeIn = (item: SourceItem): string =>
  'link' in item ? `${item.link.domain}/${item.link.code}` : item.refused

const codesOf = (links: readonly Record<string, any>[]): string[] =>
  links
    .map((link) => new URL(link.link ?? link.shortUrl))
    .map(codeAt)
    .sort()

const codeAt = ({ host, pathname }: URL): string => `${host}${decodeURIComponent(pathname)}`
