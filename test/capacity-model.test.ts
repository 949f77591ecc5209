import { describe, expect, test } from 'bun:test'
import { bothCarry, clickCost, nodesCarry, postgresLoad } from '../bench/capacity/capacity.ts'
import { differentLinks, leastRecentHitRate, twoGenerationsHitRate } from '../bench/capacity/hit-rate.ts'
import { SeededChance } from '../bench/rigs/traffic.ts'
import { zipfShares, ZipfSampler } from '../bench/rigs/zipf.ts'
import { realCacheHits } from '../bench/capacity/real-cache.ts'

const uniform = (links: number) => [{ links, share: 1 / links }]
const total = (links: number, exponent: number) =>
  zipfShares(links, exponent).reduce((sum, each) => sum + each.links * each.share, 0)

describe("Zipf's law", () => {
  // The first link's share is one over the generalized harmonic number: 2.9289…, 14.3927…, 1.6349…
  test.each([
    [10, 1, 2.928968253968254],
    [1_000_000, 1, 14.392726722865724],
    [100, 2, 1.634983900184893],
    // ln N + 0.5772… + 1/2N
    [1e11, 1, 11 * Math.LN10 + 0.5772156649015329],
  ])('of %d links with exponent %d is right', (links, exponent, harmonic) => {
    expect(1 / zipfShares(links, exponent)[0]!.share).toBeCloseTo(harmonic, 7)
  })

  test.each([0.8, 1, 1.2])('counts every link once and adds up to one, exponent %d', (exponent) => {
    expect(zipfShares(1e9, exponent).reduce((sum, { links }) => sum + links, 0)).toBe(1e9)
    expect(total(1e9, exponent)).toBeCloseTo(1, 9)
  })

  test.each([0.8, 1, 1.2])('is what is drawn, exponent %d', (exponent) => {
    const [links, draws] = [1e7, 200_000]
    const sampler = new ZipfSampler(new SeededChance(1), links, exponent)
    const counts = new Map<number, number>()
    let inFrontHalf = 0
    for (let draw = 0; draw < draws; draw++) {
      const rank = sampler.next()
      counts.set(rank, (counts.get(rank) ?? 0) + 1)
      if (rank <= 5_000) inFrontHalf++
    }
    const shares = zipfShares(links, exponent)
    const isNear = (count: number, share: number) =>
      Math.abs(count - draws * share) < 5 * Math.sqrt(draws * share)
    for (let rank = 1; rank <= 10; rank++)
      expect(isNear(counts.get(rank)!, shares[rank - 1]!.share)).toBe(true)
    const front = shares.slice(0, 5_000).reduce((sum, { share }) => sum + share, 0)
    expect(isNear(inFrontHalf, front)).toBe(true)
    expect(Math.max(...counts.keys())).toBeLessThanOrEqual(links)
  })
})

describe('the hit rate', () => {
  test('of equally popular links is the share of them in memory', () => {
    expect(leastRecentHitRate(uniform(1_000), 100).hits).toBeCloseTo(0.1, 9)
  })

  // With N links and half of the bound n, a generation takes g = -ln(1 - n/N) N requests; then 1 - (1 - n/N)(n/N)N/g.
  test('of two generations of equally popular links is known', () => {
    const [part, expected] = [0.1, -Math.log(0.9)]
    expect(twoGenerationsHitRate(uniform(1_000), 200).hits).toBeCloseTo(1 - (0.9 * part) / expected, 9)
  })

  test('is one when all links fit', () => {
    expect(leastRecentHitRate(uniform(100), 100)).toEqual({ hits: 1, requestsToFill: Infinity })
    expect(twoGenerationsHitRate(uniform(100), 200).hits).toBe(1)
  })

  test('of two generations is slightly below that of an LRU cache', () => {
    const shares = zipfShares(1e9, 1)
    const [ours, best] = [twoGenerationsHitRate(shares, 1e6).hits, leastRecentHitRate(shares, 1e6).hits]
    expect(best - ours).toBeGreaterThan(0)
    expect(best - ours).toBeLessThan(0.03)
  })

  test('matches the real cache', () => {
    for (const exponent of [0.8, 1, 1.2]) {
      const formula = twoGenerationsHitRate(zipfShares(100_000, exponent), 2_000).hits
      const real = realCacheHits({ links: 100_000, exponent, entriesMax: 2_000, requests: 60_000 })
      expect(Math.abs(real - formula)).toBeLessThan(0.01)
    }
  })
})

test('the first request needs one link, and all requests need all links', () => {
  const shares = zipfShares(1_000, 1)
  expect(differentLinks(shares, 1e-6) / 1e-6).toBeCloseTo(1, 5)
  expect(differentLinks(shares, 1e9)).toBeCloseTo(1_000, 6)
})

describe('the load of PostgreSQL', () => {
  const costs = {
    redirect: 40,
    lookUp: 30,
    click: 50,
    walBytes: {
      click: 1e3,
      creation: 3e3,
    },
    postgres: {
      question: 100,
      code: 10,
      creation: 1e3,
      process: 0,
      clicks: [
        { batch: 100, each: 100 },
        {
          batch: 1e4,
          each: 50,
        },
      ],
    },
  }
  const server = { cores: 10, walBytesPerSecond: Infinity }
  const countEverySeconds = 0.25

  test('is the sum of lookups, counting and creations', () => {
    const load = postgresLoad(costs, {
      nodes: 10,
      perSecond: 40_000,
      hits: 0.5,
      creations: 0.01,
      countEverySeconds,
    })
    // 4,000 a second are 1,000 a batch, in the middle between 100 and 10,000; and 2,000 look-ups are two a question.
    expect(load.cores).toEqual({
      lookUps: expect.closeTo(20_000 * 60e-6),
      counting: expect.closeTo(40_000 * 75e-6),
      creations: expect.closeTo(0.4),
      idle: 0,
      all: expect.closeTo(1.2 + 3 + 0.4),
    })
    expect(load.transactionsPerSecond).toBeCloseTo(40)
    expect(load.walBytesPerSecond).toBeCloseTo(40_000 * 1_030)
  })

  test('of a batch beyond the measurements is that of the nearest one', () => {
    expect([1, 100, 1_000_000].map((batch) => clickCost(costs.postgres.clicks, batch))).toEqual([
      100, 100, 50,
    ])
  })

  test('is the limit when the nodes could do more', () => {
    const traffic = { nodes: 1_000, hits: 1, creations: 0, countEverySeconds }
    // 70 a second for each node are small batches, of 100 µs a click: together 70 % of ten cores.
    const carried = bothCarry(costs, traffic, server)
    expect(carried).toBeCloseTo(70_000, -1)
    expect(postgresLoad(costs, { ...traffic, perSecond: carried }).cores.all).toBeCloseTo(7, 2)
    // Counted every 250 s they are as cheap as can be.
    expect(bothCarry(costs, { ...traffic, countEverySeconds: 250 }, server)).toBeCloseTo(140_000, -1)
    expect(bothCarry(costs, traffic, { ...server, walBytesPerSecond: 1e7 })).toBeCloseTo(10_000, -1)
  })

  test('does not limit one node, whose threads do', () => {
    const traffic = { nodes: 1, hits: 1, creations: 0, countEverySeconds }
    expect(bothCarry(costs, traffic, server)).toBe(nodesCarry(costs, traffic))
    expect(nodesCarry(costs, traffic)).toBeCloseTo(0.7e6 / 50)
  })
})
