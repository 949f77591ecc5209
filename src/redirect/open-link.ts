import { type Click, USER_AGENT_CHARS_MAX } from '../clicks/click.ts'
import { referrerHost } from '../clicks/referrer-host.ts'
import type { LinkTarget } from '../links/link-cache.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { Answer } from './answer.ts'
import {
  blockedLink,
  journalDown,
  linksAway,
  methodNotAllowed,
  redirectTo,
  switchedOff,
  tooManyMisses,
  unknownLink,
} from './notices.ts'

export type OpenLinkDeps = {
  /** A promise where the link has to be read elsewhere; it rejects while that cannot be done. */
  links: { get(code: string): LinkTarget | undefined | Promise<LinkTarget | undefined> }
  journal: { append(click: Click): Promise<void> }
  visitors: { of(ip: string, userAgent: string): number }
  countries: { countryOf(ip: string): string }
  misses: { count(ip: string): { isAllowed: boolean; retryAfterSeconds: number } }
}

/** A visitor at the door: what was asked for, and from which address it came. */
export type Visit = {
  method: string
  /** A header by its name in lower case; null when it is absent. */
  header(name: string): string | null
  code: string
  ip: string
}

/**
 * What happens when someone opens a short link. The answer waits until the click is safe in the journal; when it
 * cannot be made safe, the visitor is asked to come again rather than redirected uncounted.
 */
export function openLink(deps: OpenLinkDeps, visit: Visit): Answer | Promise<Answer> {
  const { method } = visit
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed()
  const target = deps.links.get(visit.code)
  if (!(target instanceof Promise)) return answerFor(deps, target, visit)
  return target.then((found) => answerFor(deps, found, visit), awayOrFault)
}

/** A fault of ours is for whoever called to answer and to write down. */
function awayOrFault(error: unknown): Answer {
  if (error instanceof StoreUnavailable) return linksAway()
  throw error
}

function answerFor(
  deps: OpenLinkDeps,
  target: LinkTarget | undefined,
  visit: Visit,
): Answer | Promise<Answer> {
  const { method } = visit
  if (target === undefined) return missing(deps, visit)
  if (!target.isOpen) return target.isBlocked ? blockedLink(visit) : switchedOff(visit)
  if (method === 'HEAD' || isPrefetch(visit)) return redirectTo(target.href)
  return deps.journal.append(readClick(deps, target, visit)).then(() => redirectTo(target.href), journalDown)
}

function missing(deps: OpenLinkDeps, visit: Visit): Answer {
  const { isAllowed, retryAfterSeconds } = deps.misses.count(visit.ip)
  return isAllowed ? unknownLink(visit) : tooManyMisses(visit, retryAfterSeconds)
}

/** A page that is fetched in case somebody goes there has not been opened. */
function isPrefetch({ header }: Visit): boolean {
  const purpose = header('sec-purpose') ?? header('purpose') ?? header('x-moz')
  return purpose !== null && purpose.toLowerCase().includes('prefetch')
}

function readClick(deps: OpenLinkDeps, target: LinkTarget, { header, ip }: Visit): Click {
  const userAgent = (header('user-agent') ?? '').slice(0, USER_AGENT_CHARS_MAX)
  const asksNotToBeToldApart = saysOne(header('sec-gpc')) || saysOne(header('dnt'))
  return {
    linkId: target.linkId,
    accountId: target.accountId,
    clickedAtUs: 0, // the journal's to say
    visitor: asksNotToBeToldApart ? 0 : deps.visitors.of(ip, userAgent),
    country: deps.countries.countryOf(ip),
    userAgent,
    referrer: referrerHost(header('referer')),
  }
}

/** The header is exactly "1"; sent several times, any of them counts (Global Privacy Control, 3.3). */
const saysOne = (header: string | null): boolean =>
  header !== null && (header === '1' || header.split(', ').includes('1'))
