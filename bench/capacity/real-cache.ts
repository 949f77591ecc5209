import { Blocks } from '../../src/links/destinations/blocks.ts'
import { LinkCache, type RouteReader } from '../../src/links/routes/link-cache.ts'
import { newSharedMetrics, openMetrics } from '../../src/metrics/metrics.ts'
import { SeededChance } from '../rigs/traffic.ts'
import { ZipfSampler } from '../rigs/zipf.ts'
import { defaultKey } from '../../src/links/link-key.ts'

/** The cache of redirects, with routes that are made up when they are read. */
export function openRealCache(entriesMax: number) {
  const routes: RouteReader = {
    get: ({ domainId, code }) => ({
      domainId,
      code,
      linkId: Number.parseInt(code, 36),
      workspaceId: 1,
      destination: `https://www.example.com/some/landing/page/${code}`,
      isActive: true,
      blockedBy: undefined,
      options: undefined,
    }),
    forget() {},
  }
  const metrics = openMetrics(newSharedMetrics())
  const deps = { routes, ownHosts: new Set(['s.example.com']), blocks: new Blocks(), metrics }
  return { cache: new LinkCache(deps, entriesMax), lookups: metrics.linkLookups }
}

/** As long as those that are made by chance. */
export const codeOfRank = (rank: number): string => rank.toString(36).padStart(7, '0')

export type Asked = { links: number; exponent: number; entriesMax: number; requests: number }

/** The share of requests served from memory, after as many that warm it up. */
export function realCacheHits({ links, exponent, entriesMax, requests }: Asked): number {
  const { cache, lookups } = openRealCache(entriesMax)
  const sampler = new ZipfSampler(new SeededChance(1), links, exponent)
  const ask = () => {
    for (let request = 0; request < requests; request++)
      void cache.get(defaultKey(codeOfRank(sampler.next())))
  }
  ask()
  const before = lookups.hit.value
  ask()
  return (lookups.hit.value - before) / requests
}
