import type { Hono } from 'hono'
import type { Blocks } from '../../../links/destinations/blocks.ts'
import { parseUrl } from '../../../links/destinations/parse-url.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import { findPublicShare, type PublicShare } from '../../../shares/find-public-share.ts'
import type { RecentReports } from '../../../shares/recent-reports.ts'
import { SHARE_RANGES, type ShareRange } from '../../../shares/shared-report.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { ReadDb } from '../../../store/handles.ts'
import type { PasswordAttempts } from '../../api-server/password-attempts.ts'
import type { AppContext, AppEnv } from '../../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../../dispatch/public-limit.ts'
import { methodNotAllowedResponse } from '../../responses/envelope.ts'
import { refusalOf } from '../../responses/refusal-of-error.ts'
import { statusOf } from '../../responses/refusal-status.ts'
import { clicksBadge, notSharedBadge } from './share-badge.ts'
import { readShareForm, type ShareForm } from './read-share-form.ts'
import { notSharedPage, sharePasswordPage, shareUnavailablePage, tooManyClicksPage } from './share-notices.ts'
import { sharePage } from './share-page.ts'
import { isShareToken, shareToken } from './share-token.ts'

export type SharePageDeps = PublicLimitDeps & {
  db: ReadDb
  blocks: Pick<Blocks, 'isHostBlocked'>
  domains: Pick<Domains, 'prefixedHostOf'>
  clock: Pick<Clock, 'nowUs'>
  sharedReports: RecentReports
  passwordAttempts: PasswordAttempts
}

const PATH = '/share/:secret'
const BADGE_PATH = '/share/:secret/badge.svg'
const SECRET = /^[\w-]{43}$/
const DEFAULT_RANGE: ShareRange = '30d'
const NOT_FOUND = 404
const FORBIDDEN = 403
const TOO_MANY = 429
const BADGE_SECONDS = 60

/** The public pages of statistics. What is off, reset, ended or never was looks the same. */
export function addSharePages(app: Hono<AppEnv>, deps: SharePageDeps): void {
  app.get(PATH, (context) => {
    refuseOverPublicLimit(deps, context)
    return answerPage(deps, context, { range: context.req.query('range') })
  })
  app.post(PATH, (context) => {
    refuseOverPublicLimit(deps, context)
    const { req, env } = context
    const form = readShareForm((name) => req.header(name), env.body)
    return answerPage(deps, context, { range: req.query('range'), ...form })
  })
  app.get(BADGE_PATH, (context) => {
    refuseOverPublicLimit(deps, context)
    return answerBadge(deps, context)
  })
  app.all(PATH, (context) => methodNotAllowedResponse(context, ['GET', 'HEAD', 'POST']))
  app.all(BADGE_PATH, (context) => methodNotAllowedResponse(context, ['GET', 'HEAD']))
}

async function shareOf({ db, clock }: SharePageDeps, { req }: AppContext): Promise<PublicShare | undefined> {
  const secret = req.param('secret') ?? ''
  return SECRET.test(secret) ? findPublicShare({ db }, { secret, nowUs: clock.nowUs() }) : undefined
}

async function answerPage(deps: SharePageDeps, context: AppContext, form: ShareForm): Promise<Response> {
  try {
    const share = await shareOf(deps, context)
    if (share === undefined) return sendPage(context, NOT_FOUND, notSharedPage())
    const entry = await admit(deps, context, { share, form })
    return entry instanceof Response ? entry : await showReport(deps, context, { share, form, ...entry })
  } catch (error) {
    return sendRefusal(context, error)
  }
}

type Entry = { token: string | undefined }

/** The answer, unless the visitor may see the page. */
async function admit(
  { passwordAttempts, clock, metrics }: SharePageDeps,
  context: AppContext,
  { share, form }: { share: PublicShare; form: ShareForm },
): Promise<Response | Entry> {
  const { id, workspaceId, secret, passwordHash } = share
  if (passwordHash === null) return { token: undefined }
  const nowUs = clock.nowUs()
  if (form.token !== undefined && isShareToken(form.token, { secret, passwordHash }, nowUs))
    return { token: form.token }
  const { password } = form
  if (password === undefined) return sendPage(context, FORBIDDEN, sharePasswordPage())
  const attempt = { page: `share ${id}`, workspaceId, passwordHash, password }
  const result = await passwordAttempts.check(context.env.ip, attempt)
  if (result.outcome === 'right') return { token: shareToken({ secret, passwordHash }, nowUs) }
  if (result.outcome === 'wrong')
    return sendPage(context, FORBIDDEN, sharePasswordPage({ attemptsLeft: result.left }))
  metrics.rateLimitRefusals.network.add()
  const { retryAfterSeconds } = result
  context.header('Retry-After', String(retryAfterSeconds))
  return sendPage(context, TOO_MANY, sharePasswordPage({ retryAfterSeconds }))
}

async function showReport(
  { sharedReports, domains, blocks }: SharePageDeps,
  context: AppContext,
  { share, form, token }: Entry & { share: PublicShare; form: ShareForm },
): Promise<Response> {
  const range = SHARE_RANGES.find((each) => each === form.range) ?? DEFAULT_RANGE
  const report = await sharedReports.report(share, range)
  const hostOf = (id: number) => domains.prefixedHostOf(id)
  const destination = shownDestination(blocks, share)
  return sendPage(context, 200, sharePage({ share, report, range, hostOf, destination, token }))
}

/** The page of a server says nothing of what its operator has blocked. */
function shownDestination(blocks: SharePageDeps['blocks'], { panels, subject }: PublicShare) {
  if (subject.kind !== 'link' || !panels.includes('destination')) return undefined
  const url = parseUrl(subject.originalUrl)
  return url === null || blocks.isHostBlocked(url.hostname) ? undefined : subject.originalUrl
}

async function answerBadge(deps: SharePageDeps, context: AppContext): Promise<Response> {
  const share = await shareOf(deps, context)
  context.header('Content-Type', 'image/svg+xml; charset=utf-8')
  // Images of other pages may show it.
  context.header('Cross-Origin-Resource-Policy', 'cross-origin')
  if (share === undefined || share.passwordHash !== null) return context.body(notSharedBadge(), NOT_FOUND)
  const clicks = await deps.sharedReports.total(share)
  context.header('Cache-Control', `public, max-age=${BADGE_SECONDS}`)
  return context.body(clicksBadge(clicks), 200)
}

/** Too much at once, more clicks than a report of the range can add up, or the database is away. */
function sendRefusal(context: AppContext, error: unknown): Response {
  const refusal = refusalOf(error, 'GET')
  if (refusal === undefined) throw error
  const { code, kind, message, retryAfterSeconds } = refusal
  if (retryAfterSeconds !== undefined) context.header('Retry-After', String(retryAfterSeconds))
  const body = kind === 'invalid' ? tooManyClicksPage() : shareUnavailablePage(message)
  return sendPage(context, statusOf(code), body)
}

function sendPage(context: AppContext, status: number, body: string): Response {
  context.header('Content-Type', 'text/html; charset=utf-8')
  return context.body(body, status as 200)
}
