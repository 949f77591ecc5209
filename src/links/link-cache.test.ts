import { beforeEach, describe, expect, test } from 'bun:test'
import { type Metrics, newSharedMetrics, openMetrics } from '../metrics.ts'
import { Blocks, NOTHING_BLOCKED } from './blocks.ts'
import { LinkCache, type LinkTarget, type TargetRow } from './link-cache.ts'

const OWN_HOSTS = new Set(['s.example.com'])

/** The rows as they are committed, and how often they were read. */
let rows: Map<string, TargetRow>
let reads: number
let metrics: Metrics
let blocks: Blocks

beforeEach(() => {
  metrics = openMetrics(newSharedMetrics())
  rows = new Map(Array.from({ length: 100 }, (_, i) => [`code${i}`, row(i)]))
  reads = 0
  blocks = new Blocks()
})

const row = (i: number, others: Partial<TargetRow> = {}): TargetRow => ({
  code: `code${i}`,
  id: i + 1,
  account_id: 7,
  href: `https://example.com/${i}`,
  is_active: 1,
  ...others,
})

function openCache(entriesMax: number): LinkCache {
  const get = (code: string) => {
    reads++
    return rows.get(code)
  }
  return new LinkCache({ rows: { get, forget() {} }, ownHosts: OWN_HOSTS, blocks, metrics }, entriesMax)
}

/** Rows that are at hand. */
const get = (cache: LinkCache, code: string) => cache.get(code) as LinkTarget | undefined

/** A cache of rows that are elsewhere; each question is answered when the test does it. */
function openRemoteCache() {
  const asked: PromiseWithResolvers<TargetRow | undefined>[] = []
  const forgotten: string[] = []
  const get = () => {
    asked.push(Promise.withResolvers())
    return asked.at(-1)!.promise
  }
  const rows = { get, forget: (codes: readonly string[]) => void forgotten.push(...codes) }
  return { cache: new LinkCache({ rows, ownHosts: OWN_HOSTS, blocks, metrics }, 10), asked, forgotten }
}

describe('the link cache', () => {
  test('reads a link once and then knows it', () => {
    const cache = openCache(10)
    const expected = {
      code: 'code1',
      linkId: 2,
      accountId: 7,
      href: 'https://example.com/1',
      isOpen: true,
      isBlocked: false,
    }
    expect([cache.get('code1'), cache.get('code1')]).toEqual([expected, expected])
    expect(reads).toBe(1)
  })

  test('finds nothing under a code that nobody has, and sees it as soon as somebody has', () => {
    const cache = openCache(10)
    expect(cache.get('later')).toBeUndefined()
    rows.set('later', row(1, { code: 'later' }))
    expect(get(cache, 'later')?.linkId).toBe(2)
  })

  test('forgets what has changed, in either generation', () => {
    const cache = openCache(4)
    for (const code of ['code1', 'code2', 'code3']) cache.get(code)
    for (const code of ['code1', 'code3']) rows.set(code, { ...rows.get(code)!, is_active: 0 })
    cache.forget(['code1', 'code3', 'never-seen'])
    expect(['code1', 'code2', 'code3'].map((code) => get(cache, code)?.isOpen)).toEqual([false, true, false])
  })

  test('keeps what is asked for often, and never more than its bound', () => {
    const cache = openCache(10)
    for (let i = 0; i < 100; i++) {
      cache.get('code0')
      cache.get(`code${i}`)
    }
    // Each once, but for code0, which was never forgotten.
    expect(reads).toBe(100)
    reads = 0
    for (let i = 0; i < 100; i++) cache.get(`code${i}`)
    expect(reads).toBeGreaterThanOrEqual(90)
  })

  test('counts what it knew, what it had to read, and how much it keeps', () => {
    const cache = openCache(4)
    const { linkLookups, linkCacheEntries } = metrics
    const counted = () => [linkLookups.hit.value, linkLookups.miss.value, linkCacheEntries.value]
    for (const code of ['code1', 'code1', 'nobody', 'code2']) cache.get(code)
    expect(counted()).toEqual([1, 3, 2])
    // A third one begins a generation; the first two are still known.
    for (const code of ['code3', 'code1']) cache.get(code)
    expect(counted()).toEqual([2, 4, 4])
    cache.forget(['code1', 'code3'])
    expect(counted()).toEqual([2, 4, 1])
  })

  test('works with the smallest bound', () => {
    const cache = openCache(1)
    expect(['code1', 'code2', 'code1'].map((code) => get(cache, code)?.linkId)).toEqual([2, 3, 2])
  })

  test.each([
    ['switched off', { is_active: 0 }],
    ['that leads back to us', { href: 'https://s.example.com/code1' }],
  ])('does not open a link %s', (_, others) => {
    rows.set('code1', row(1, others))
    expect(openCache(10).get('code1')).toMatchObject({ isOpen: false, isBlocked: false })
  })

  test.each([
    ['whose host', { ...NOTHING_BLOCKED, hosts: ['example.com'] }],
    ['whose account', { ...NOTHING_BLOCKED, accountIds: [7] }],
  ])('does not open a link %s is blocked, and opens it again when it no longer is', (_, list) => {
    const cache = openCache(10)
    expect(cache.get('code1')).toMatchObject({ isOpen: true, isBlocked: false })
    blocks.replace(list)
    cache.forgetAll()
    expect(cache.get('code1')).toMatchObject({ isOpen: false, isBlocked: true })
    blocks.replace(NOTHING_BLOCKED)
    cache.forgetAll()
    expect(cache.get('code1')).toMatchObject({ isOpen: true, isBlocked: false })
  })
})

test('a link whose account was deleted is not there, and no entry of it is kept', () => {
  const cache = openCache(10)
  blocks.replace({ ...NOTHING_BLOCKED, closedAccountIds: [7] })
  expect([cache.get('code1'), cache.size]).toEqual([undefined, 0])
})

describe('the link cache of rows that are elsewhere', () => {
  test('promises a link that it does not know, and then knows it', async () => {
    const { cache, asked } = openRemoteCache()
    const promised = cache.get('code1')
    expect(promised).toBeInstanceOf(Promise)
    asked[0]!.resolve(row(1))
    expect(await promised).toMatchObject({ code: 'code1', linkId: 2, isOpen: true })
    expect(get(cache, 'code1')?.linkId).toBe(2)
    expect(asked).toHaveLength(1)
  })

  test('keeps nothing of a code that nobody has, nor of a question that failed', async () => {
    const { cache, asked } = openRemoteCache()
    const [missing, failing] = [cache.get('nobody'), cache.get('code1')]
    asked[0]!.resolve(undefined)
    asked[1]!.reject(new Error('Our fault.'))
    expect(await missing).toBeUndefined()
    await expect(failing as Promise<unknown>).rejects.toThrow('Our fault.')
    for (const code of ['nobody', 'code1']) expect(cache.get(code)).toBeInstanceOf(Promise)
  })

  test.each([
    ['it was changed', (cache: LinkCache) => cache.forget(['code1'])],
    ['what is blocked has changed', (cache: LinkCache) => cache.forgetAll()],
  ])('does not keep a link that was read while %s', async (_, change) => {
    const { cache, asked } = openRemoteCache()
    const early = cache.get('code1')
    change(cache)
    const late = cache.get('code1')
    asked[0]!.resolve(row(1))
    asked[1]!.resolve(row(1, { is_active: 0 }))
    expect(await Promise.all([early, late])).toMatchObject([{ isOpen: true }, { isOpen: false }])
    expect(cache.get('code1')).toMatchObject({ isOpen: false })
  })

  test('judges what was blocked meanwhile as it is now', async () => {
    const { cache, asked } = openRemoteCache()
    const promised = cache.get('code1')
    blocks.replace({ ...NOTHING_BLOCKED, hosts: ['example.com'] })
    cache.forgetAll()
    asked[0]!.resolve(row(1))
    expect(await promised).toMatchObject({ isOpen: false, isBlocked: true })
  })

  test('says to the rows what is no longer so', () => {
    const { cache, forgotten } = openRemoteCache()
    cache.forget(['code1', 'never-seen'])
    expect(forgotten).toEqual(['code1', 'never-seen'])
  })
})
