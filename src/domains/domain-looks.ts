import { Refusal } from '../errors/refusal.ts'
import { HOUR_US, MINUTE_US } from '../runtime/clock.ts'
import type { Findings } from './domain-checks.ts'
import type { StoredDomain } from './find-domains.ts'

// A domain that is not verified is looked at by itself: often at first, when its records are being set, and for some days.
export const SOON_US = 10 * MINUTE_US
export const LATER_US = HOUR_US
export const OFTEN_FOR_US = 2 * HOUR_US
export const LOOKED_AT_FOR_US = 72 * HOUR_US

type Looked = Pick<StoredDomain, 'host' | 'checked_at' | 'failing_since'>

/** When a domain that is not verified is looked at next. Null if it is verified, or will not be looked at by itself any more. */
export function nextLookUs(domain: Looked, nowUs: number): number | null {
  const { host, checked_at: checkedAt, failing_since: since } = domain
  if (host !== null) return null
  if (checkedAt === null || since === null) return nowUs
  const soon = checkedAt + SOON_US
  const next = soon - since < OFTEN_FOR_US ? soon : checkedAt + LATER_US
  return next - since < LOOKED_AT_FOR_US ? Math.max(next, nowUs) : null
}

/** Over the limit of its host a domain stays due, and is looked at the next time. */
export function notYet(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

type DnsColumns = Pick<StoredDomain, 'dns_failure' | 'found_addresses'>

export const dnsColumns = (found: Pick<Findings, 'pointing' | 'addresses'> | undefined): DnsColumns => ({
  dns_failure: found?.pointing ?? null,
  found_addresses: found?.addresses.join(' ') ?? null,
})

/** What the last look has found. Null before the first. */
export function storedLook(
  domain: Pick<StoredDomain, 'host' | 'failure'> & DnsColumns,
): { ownership: string | null; dns: string | null; addresses: string[] } | null {
  const { host, failure, dns_failure: dns, found_addresses: addresses } = domain
  if (addresses === null) return null
  return { ownership: host === null ? failure : null, dns, addresses: addresses.split(' ').filter(Boolean) }
}
