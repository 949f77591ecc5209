import { afterEach, describe, expect, test } from 'bun:test'
import { fixture, itemsOf } from '../../../test/rigs/import-fixtures.ts'
import { networkImport } from '../../../test/rigs/import/network-rig.ts'
import { linksIn, serviceOf, SOURCE_APIS } from '../../../test/rigs/import/source-apis.ts'
import { type SourceServer, startSourceServer } from '../../../test/rigs/import/source-server.ts'
import { SOURCES } from '../sources/all-sources.ts'
import type { SourceItem } from '../source.ts'

let server: SourceServer | undefined
afterEach(() => server?.stop())

test('every source with an API is served here', () => {
  const sources = Object.entries(SOURCES).filter(([, { network }]) => network !== undefined)
  expect(SOURCE_APIS.map(({ source }) => source).sort()).toEqual(sources.map(([name]) => name).sort())
})

describe.each(SOURCE_APIS)('$title', (api) => {
  test('has the links of its files, from all pages', async () => {
    server = await startSourceServer(serviceOf(api, () => linksIn(api)))
    const { items, waits, notices } = networkImport(api.source, server.url)
    const files = await Promise.all(api.files.map((file) => itemsOf(api.source, fixture(file))))
    expect(texts(await items())).toEqual(texts(files.flat()))
    expect(server.requests.length).toBeGreaterThan(1)
    expect([waits, notices]).toEqual([[], []])
  })

  test('numbers its links through all pages', async () => {
    server = await startSourceServer(serviceOf(api, () => linksIn(api)))
    const places = (await networkImport(api.source, server.url).items()).map(({ at }) => at)
    expect([...new Set(places)]).toEqual(linksIn(api).map((_, at) => `link ${at + 1}`))
  })

  test('without links has none', async () => {
    server = await startSourceServer(serviceOf(api, () => []))
    expect(await networkImport(api.source, server.url).items()).toEqual([])
  })

  test('refuses another key', async () => {
    server = await startSourceServer(serviceOf(api, () => linksIn(api)))
    const items = networkImport(api.source, server.url, { key: 'wrong-key' }).items()
    const refusal = `${api.title} refuses this key. Create one that may read links.`
    await expect(items).rejects.toThrow(refusal)
    expect(server.requests).toHaveLength(1)
  })
})

/** In any order: some APIs have a list for each workspace or domain. */
const texts = (items: readonly SourceItem[]): string[] =>
  items.map(({ at: _, ...item }) => JSON.stringify(item)).sort()
