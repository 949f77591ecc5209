import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { manualClock } from '../../runtime/clock.ts'
import { keepSaving, KnownLinks, knownLinksPath, refreshKnownLinks, saveKnownLinks } from './known-links.ts'
import type { LinkRoute } from './link-route.ts'
import { defaultKey, type LinkKey } from '../link-key.ts'

const folders = temporaryFolders()
let path: string

beforeEach(() => {
  path = knownLinksPath(folders.make())
})
afterEach(folders.remove)

describe('saved links', () => {
  test('are loaded again, disabled and blocked ones as such', async () => {
    const written = [
      ...links(1_234),
      link(2_000, { isActive: false }),
      link(2_001, { blockedBy: 'operator' }),
      link(2_002, { blockedBy: 'loop' }),
    ]
    await saveKnownLinks(path, written)
    expect([...(await KnownLinks.load(path)).links()]).toEqual(written)
  })

  test('replace the file, and leave no other file behind', async () => {
    await saveKnownLinks(path, links(10))
    await saveKnownLinks(path, links(3))
    expect([...(await KnownLinks.load(path)).links()]).toEqual(links(3))
    expect(existsSync(`${path}.next`)).toBe(false)
  })

  test('are none if there is no file, or one in an unknown format', async () => {
    expect([...(await KnownLinks.load(path)).links()]).toEqual([])
    for (const text of [
      '',
      'not ours\n["a",1,2,"https://e.com",true,false]\n',
      '{"tern_known_links":99}\n',
    ]) {
      writeFileSync(path, text)
      expect([...(await KnownLinks.load(path)).links()]).toEqual([])
    }
  })

  test('of a damaged file are loaded from its intact lines', async () => {
    await saveKnownLinks(path, links(2))
    appendFileSync(path, '{"v":1,"code":"half","link_id":3,"destin')
    appendFileSync(path, '\n["code",1,7,"https://example.com/",true,false]\n{}\n[]\nnull\n')
    expect([...(await KnownLinks.load(path)).links()]).toEqual(links(2))
  })
})

test('known links are looked up again once, and dropped', async () => {
  await saveKnownLinks(path, links(1_100))
  const known = await KnownLinks.load(path)
  const lookups: string[] = []
  const cache = { get: ({ code }: LinkKey) => void lookups.push(code) }
  await refreshKnownLinks(cache, known)
  expect(lookups).toEqual(links(1_100).map(({ code }) => code))
  await refreshKnownLinks(cache, known)
  expect([lookups.length, [...known.links()]]).toEqual([1_100, []])
})

test('stopping saves what is known at that time', async () => {
  const now = new Set(links(2))
  const some = { size: 2, links: () => now }
  const { stop } = keepSaving(path, [some, { size: 0, links: () => [] }], manualClock(0))
  now.add(link(9))
  await stop()
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(4)
})

const link = (n: number, others: Partial<LinkRoute> = {}): LinkRoute => ({
  ...PLAIN_ROUTE,
  ...defaultKey(`code${n}`),
  linkId: n,
  workspaceId: 7,
  destination: `https://example.com/${n}?q=%22"'`,
  ...others,
})
const links = (count: number) => Array.from({ length: count }, (_, n) => link(n))
