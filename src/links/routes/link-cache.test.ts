import { beforeEach, describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { type Metrics, newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { Blocks, NOTHING_BLOCKED } from '../destinations/blocks.ts'
import { LinkCache } from './link-cache.ts'
import type { LinkRoute } from './link-route.ts'
import { defaultKey, type LinkKey, keyText } from '../link-key.ts'

/** The committed routes, and how often they were read. */
let routes: Map<string, LinkRoute>
let reads: number
let metrics: Metrics
let blocks: Blocks

beforeEach(makeCache)

describe('the link cache', () => {
  test('reads a link once', () => {
    const cache = openCache(10)
    const expected = route(1)
    expect([cache.get(defaultKey('code1')), cache.get(defaultKey('code1'))]).toEqual([expected, expected])
    expect(reads).toBe(1)
  })

  test('does not cache a code that does not exist', () => {
    const cache = openCache(10)
    expect(cache.get(defaultKey('later'))).toBeUndefined()
    routes.set('later', route(1, { code: 'later' }))
    expect(get(cache, 'later')?.linkId).toBe(2)
  })

  test('drops changed links from both generations', () => {
    const cache = openCache(4)
    for (const code of ['code1', 'code2', 'code3']) cache.get(defaultKey(code))
    for (const code of ['code1', 'code3']) routes.set(code, { ...routes.get(code)!, isActive: false })
    cache.forget([defaultKey('code1'), defaultKey('code3'), defaultKey('never-seen')])
    expect(['code1', 'code2', 'code3'].map((code) => get(cache, code)?.isActive)).toEqual([
      false,
      true,
      false,
    ])
  })

  test('keeps links that are opened often, and never exceeds its bound', () => {
    const cache = openCache(10)
    for (let i = 0; i < 100; i++) {
      cache.get(defaultKey('code0'))
      cache.get(defaultKey(`code${i}`))
    }
    // Each once: code0 was never dropped.
    expect(reads).toBe(100)
    reads = 0
    for (let i = 0; i < 100; i++) cache.get(defaultKey(`code${i}`))
    expect(reads).toBeGreaterThanOrEqual(90)
  })

  test('counts hits, misses and entries', () => {
    const cache = openCache(4)
    const { linkLookups, linkCacheEntries } = metrics
    const counted = () => [linkLookups.hit.value, linkLookups.miss.value, linkCacheEntries.value]
    for (const code of ['code1', 'code1', 'nobody', 'code2']) cache.get(defaultKey(code))
    expect(counted()).toEqual([1, 3, 2])
    // The third begins a new generation. The first two are still cached.
    for (const code of ['code3', 'code1']) cache.get(defaultKey(code))
    expect(counted()).toEqual([2, 4, 4])
    cache.forget([defaultKey('code1'), defaultKey('code3')])
    expect(counted()).toEqual([2, 4, 1])
  })

  test('works with the smallest bound', () => {
    const cache = openCache(1)
    expect(['code1', 'code2', 'code1'].map((code) => get(cache, code)?.linkId)).toEqual([2, 3, 2])
  })

  test('marks a link that leads back to this server', () => {
    routes.set('code1', route(1, { destination: 'https://s.example.com/code1' }))
    expect(get(openCache(10), 'code1')?.blockedBy).toBe('loop')
  })

  test.each([
    ['whose host', { ...NOTHING_BLOCKED, hosts: ['example.com'] }],
    ['whose workspace', { ...NOTHING_BLOCKED, workspaceIds: [7] }],
  ])('marks a link %s is blocked, until it no longer is', (_, list) => {
    const cache = openCache(10)
    expect(get(cache, 'code1')?.blockedBy).toBeUndefined()
    blocks.replace(list)
    cache.forgetAll()
    expect(get(cache, 'code1')?.blockedBy).toBe('operator')
    blocks.replace(NOTHING_BLOCKED)
    cache.forgetAll()
    expect(get(cache, 'code1')?.blockedBy).toBeUndefined()
  })
})

test('a link of a deleted workspace is not found and not cached', () => {
  const cache = openCache(10)
  blocks.replace({ ...NOTHING_BLOCKED, closedWorkspaceIds: [7] })
  expect([cache.get(defaultKey('code1')), cache.size]).toEqual([undefined, 0])
})

describe('the link cache of routes on another server', () => {
  test('returns a promise for a link that is not cached, and caches it', async () => {
    const { cache, lookups } = openRemoteCache()
    const promised = cache.get(defaultKey('code1'))
    expect(promised).toBeInstanceOf(Promise)
    lookups[0]!.resolve(route(1))
    expect(await promised).toEqual(route(1))
    expect(get(cache, 'code1')?.linkId).toBe(2)
    expect(lookups).toHaveLength(1)
  })

  test('caches neither a code that does not exist nor a failed lookup', async () => {
    const { cache, lookups } = openRemoteCache()
    const [missing, failing] = [cache.get(defaultKey('nobody')), cache.get(defaultKey('code1'))]
    lookups[0]!.resolve(undefined)
    lookups[1]!.reject(new Error('An unexpected error.'))
    expect(await missing).toBeUndefined()
    await expect(failing as Promise<unknown>).rejects.toThrow('An unexpected error.')
    for (const code of ['nobody', 'code1']) expect(cache.get(defaultKey(code))).toBeInstanceOf(Promise)
  })

  test.each([
    ['it changed', (cache: LinkCache) => cache.forget([defaultKey('code1')])],
    ['the block list changed', (cache: LinkCache) => cache.forgetAll()],
  ])('does not cache a link that was read while %s', async (_, change) => {
    const { cache, lookups } = openRemoteCache()
    const early = cache.get(defaultKey('code1'))
    change(cache)
    const late = cache.get(defaultKey('code1'))
    lookups[0]!.resolve(route(1))
    lookups[1]!.resolve(route(1, { isActive: false }))
    expect(await Promise.all([early, late])).toEqual([route(1), route(1, { isActive: false })])
    expect(get(cache, 'code1')?.isActive).toBe(false)
  })

  test('checks a link against the block list of the time when its lookup ends', async () => {
    const { cache, lookups } = openRemoteCache()
    const promised = cache.get(defaultKey('code1'))
    blocks.replace({ ...NOTHING_BLOCKED, hosts: ['example.com'] })
    cache.forgetAll()
    lookups[0]!.resolve(route(1))
    expect(await promised).toEqual(route(1, { blockedBy: 'operator' }))
  })

  test('passes on which links have changed', () => {
    const { cache, forgotten } = openRemoteCache()
    cache.forget([defaultKey('code1'), defaultKey('never-seen')])
    expect(forgotten).toEqual(['code1', 'never-seen'].map(defaultKey))
  })
})

function makeCache(): void {
  metrics = openMetrics(newSharedMetrics())
  routes = new Map(Array.from({ length: 100 }, (_, i) => [`code${i}`, route(i)]))
  reads = 0
  blocks = new Blocks()
}

const OWN_HOSTS = new Set(['s.example.com'])

const route = (i: number, others: Partial<LinkRoute> = {}): LinkRoute => ({
  ...PLAIN_ROUTE,
  ...defaultKey(`code${i}`),
  linkId: i + 1,
  workspaceId: 7,
  destination: `https://example.com/${i}`,
  ...others,
})

function openCache(entriesMax: number): LinkCache {
  const get = (key: LinkKey) => {
    reads++
    return routes.get(keyText(key))
  }
  return new LinkCache({ routes: { get, forget() {} }, ownHosts: OWN_HOSTS, blocks, metrics }, entriesMax)
}

/** For a cache whose routes are read at once. */
const get = (cache: LinkCache, code: string) => cache.get(defaultKey(code)) as LinkRoute | undefined

/** A cache of routes on another server. The test answers each lookup. */
function openRemoteCache() {
  const lookups: PromiseWithResolvers<LinkRoute | undefined>[] = []
  const forgotten: LinkKey[] = []
  const get = () => {
    lookups.push(Promise.withResolvers())
    return lookups.at(-1)!.promise
  }
  const routes = { get, forget: (keys: readonly LinkKey[]) => void forgotten.push(...keys) }
  return { cache: new LinkCache({ routes, ownHosts: OWN_HOSTS, blocks, metrics }, 10), lookups, forgotten }
}
