import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { manualClock } from '../clock.ts'
import { keepSaving, KnownLinks, knownLinksPath, renewKnownLinks, saveKnownLinks } from './known-links.ts'
import type { LinkTarget } from './link-cache.ts'

const folders = temporaryFolders()
let path: string

beforeEach(() => {
  path = knownLinksPath(folders.make())
})
afterEach(folders.remove)

const link = (n: number, others: Partial<LinkTarget> = {}): LinkTarget => ({
  code: `code${n}`,
  linkId: n,
  accountId: 7,
  href: `https://example.com/${n}?q=%22"'`,
  isOpen: true,
  isBlocked: false,
  ...others,
})
const links = (count: number) => Array.from({ length: count }, (_, n) => link(n))

describe('links that are written down', () => {
  test('are known again, closed and blocked ones as such', async () => {
    const written = [
      ...links(1_234),
      link(2_000, { isOpen: false }),
      link(2_001, { isOpen: false, isBlocked: true }),
    ]
    await saveKnownLinks(path, written)
    expect([...(await KnownLinks.load(path)).links()]).toEqual(written)
  })

  test('take the place of those before, and leave nothing beside them', async () => {
    await saveKnownLinks(path, links(10))
    await saveKnownLinks(path, links(3))
    expect([...(await KnownLinks.load(path)).links()]).toEqual(links(3))
    expect(existsSync(`${path}.next`)).toBe(false)
  })

  test('are none where there is no file, or one of another kind', async () => {
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

  test('of a damaged file are those of its whole lines', async () => {
    await saveKnownLinks(path, links(2))
    appendFileSync(path, '["half",3,7,"https://exa')
    appendFileSync(path, '\n["code",1]\n["bad",1,2,"no address",true,false]\n[]\nnull\n')
    expect([...(await KnownLinks.load(path)).links()]).toEqual(links(2))
  })
})

test('links are looked up anew once, and dropped', async () => {
  await saveKnownLinks(path, links(1_100))
  const known = await KnownLinks.load(path)
  const asked: string[] = []
  const cache = { get: (code: string) => void asked.push(code) }
  await renewKnownLinks(cache, known)
  expect(asked).toEqual(links(1_100).map(({ code }) => code))
  await renewKnownLinks(cache, known)
  expect([asked.length, [...known.links()]]).toEqual([1_100, []])
})

test('the end saves what is known then', async () => {
  const now = new Set(links(2))
  const some = { size: 2, links: () => now }
  const { stop } = keepSaving(path, [some, { size: 0, links: () => [] }], manualClock(0))
  now.add(link(9))
  await stop()
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(4)
})
