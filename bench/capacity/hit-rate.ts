import type { ShareClass } from '../rigs/zipf.ts'

export type HitRate = {
  /** Of all requests, those that find their link in memory. */
  hits: number
  /** An empty cache is full after this many requests. */
  requestsToFill: number
}

/**
 * The link cache (src/links/routes/link-cache.ts): whatever is asked for goes into the young of two generations, which becomes
 * the old one when it holds half of the bound. So a generation lasts until that many different links were requested,
 * and a link is found if it was asked for in this generation or in the one before.
 *
 * Che's approximation: a generation always takes the same number of requests, and each link is asked for independently
 * of the others (Che, Tung, Wang, IEEE JSAC 20(7), 2002; why it is so good: Fricker, Robert, Roberts, arXiv:1202.3974).
 */
export function twoGenerationsHitRate(shares: readonly ShareClass[], entriesMax: number): HitRate {
  const generation = requestsUntil(shares, Math.max(1, Math.floor(entriesMax / 2)))
  if (generation === Infinity) return ALL
  return {
    // Asked for at a random moment of its generation, so that it is looked for in one to two of them.
    hits: sumOf(shares, (share) => {
      const expected = share * generation
      return share * (1 - (Math.exp(-expected) * -Math.expm1(-expected)) / expected)
    }),
    requestsToFill: 2 * generation,
  }
}

/** An LRU cache, for comparison. */
export function leastRecentHitRate(shares: readonly ShareClass[], entries: number): HitRate {
  const requests = requestsUntil(shares, entries)
  if (requests === Infinity) return ALL
  return { hits: sumOf(shares, (share) => share * -Math.expm1(-share * requests)), requestsToFill: requests }
}

const ALL: HitRate = { hits: 1, requestsToFill: Infinity }

/** Distinct links among this many requests, on average. */
export function differentLinks(shares: readonly ShareClass[], requests: number): number {
  return sumOf(shares, (share) => -Math.expm1(-share * requests))
}

/** Requests until this many distinct links were requested; infinite if there are fewer. */
function requestsUntil(shares: readonly ShareClass[], different: number): number {
  const all = sumOf(shares, () => 1)
  if (different >= all) return Infinity
  let [least, most] = [different, 2 * different]
  while (differentLinks(shares, most) < different) [least, most] = [most, 2 * most]
  while (most / least > 1 + 1e-9) {
    const middle = (least + most) / 2
    if (differentLinks(shares, middle) < different) least = middle
    else most = middle
  }
  return most
}

function sumOf(shares: readonly ShareClass[], ofOne: (share: number) => number): number {
  let sum = 0
  for (const { links, share } of shares) sum += links * ofOne(share)
  return sum
}
