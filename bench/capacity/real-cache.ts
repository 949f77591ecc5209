import { Blocks } from '../../src/links/blocks.ts'
import { LinkCache, type TargetRows } from '../../src/links/link-cache.ts'
import { newSharedMetrics, openMetrics } from '../../src/metrics.ts'
import { SeededChance } from '../rigs/traffic.ts'
import { ZipfSampler } from '../rigs/zipf.ts'

/** The cache of redirects, with rows that are made up when they are asked for. */
export function openRealCache(entriesMax: number) {
  const rows: TargetRows = {
    get: (code) => ({
      code,
      id: Number.parseInt(code, 36),
      account_id: 1,
      href: `https://www.example.com/some/landing/page/${code}`,
      is_active: 1,
    }),
    forget() {},
  }
  const metrics = openMetrics(newSharedMetrics())
  const deps = { rows, ownHosts: new Set(['s.example.com']), blocks: new Blocks(), metrics }
  return { cache: new LinkCache(deps, entriesMax), lookups: metrics.linkLookups }
}

/** As long as those that are made by chance. */
export const codeOfRank = (rank: number): string => rank.toString(36).padStart(7, '0')

export type Asked = { links: number; exponent: number; entriesMax: number; requests: number }

/** Which part of so many requests it answers from memory, after as many that fill it. */
export function realCacheHits({ links, exponent, entriesMax, requests }: Asked): number {
  const { cache, lookups } = openRealCache(entriesMax)
  const sampler = new ZipfSampler(new SeededChance(1), links, exponent)
  const ask = () => {
    for (let request = 0; request < requests; request++) void cache.get(codeOfRank(sampler.next()))
  }
  ask()
  const before = lookups.hit.value
  ask()
  return (lookups.hit.value - before) / requests
}
