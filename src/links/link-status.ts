import type { Blocks } from './destinations/blocks.ts'
import { parseUrl } from './destinations/parse-url.ts'
import type { Link } from './link.ts'

/** What a visitor would meet now, in words for the owner. The first that applies. */
export const LINK_STATUSES = [
  'blocked',
  'disabled',
  'scheduled',
  'expired',
  'limit_reached',
  'active',
] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** `blocks`: what the operator has blocked. */
export type StatusDeps = { blocks: Pick<Blocks, 'isHostBlocked'>; clock: { nowUs(): number } }

export function linkStatus(
  { blocks, clock }: StatusDeps,
  { originalUrl, isActive, options, opened }: Link,
): LinkStatus {
  const { starts_at: startsAt, expires_at: expiresAt, max_clicks: maxClicks } = options
  if (blocks.isHostBlocked(parseUrl(originalUrl)?.hostname ?? '')) return 'blocked'
  if (!isActive) return 'disabled'
  if (startsAt !== null && clock.nowUs() < startsAt) return 'scheduled'
  if (expiresAt !== null && clock.nowUs() >= expiresAt) return 'expired'
  if (maxClicks !== null && opened >= maxClicks) return 'limit_reached'
  return 'active'
}
