import type { Context, Hono } from 'hono'
import { validated } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type LimitKey, WindowLimit } from '../../limits/window-limit.ts'
import { limitKeys } from '../../network/client-ip.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import { hasPublicLink } from '../../links/find-link.ts'
import { addReport, type AddReportDeps, ReportsOfNetworks } from '../../operator/reports/add-report.ts'
import { newReport } from '../../operator/reports/report-fields.ts'
import { ReportMails } from '../../operator/reports/report-mails.ts'
import type { Visit } from '../../redirect/visit.ts'
import { HOUR_US } from '../../runtime/clock.ts'
import type { MailSender } from '../../mail/mail-queue.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import { isFromOwnPage } from '../dispatch/origins.ts'
import type { Incoming } from '../requests/read-request.ts'
import { codePath } from '../../codes/unusual-code.ts'
import { possibleVisits } from '../requests/other-visits.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import { reportPage, type SentReport, thanksPage } from './report-page.ts'
import { sendFormPage } from './send-form-page.ts'

export type ReportDeps = PublicLimitDeps &
  Omit<AddReportDeps, 'ofNetworks'> & { blocks: Pick<Blocks, 'of'>; mails: MailSender; baseUrl: string }

const PATH = '/report/:code'
const METHODS = ['GET', 'HEAD', 'POST']
const SENT = 'sent'
const REPORTS_PER_HOUR = 10
/** A thousand characters, each at most twelve bytes in a form. */
const BODY_BYTES_MAX = 16 * 1_024

/**
 * `/report/{code}`: a visitor reports a link. `report` is reserved, so this is nobody's short URL. It says no more than the short
 * URL about which codes there are.
 */
export function addReportPage(app: Hono<AppEnv>, deps: ReportDeps): void {
  const mails = new ReportMails(deps)
  const ofNetworks = new ReportsOfNetworks()
  const limit = new WindowLimit(deps.clock, { windowMs: HOUR_US / 1_000, max: REPORTS_PER_HOUR })
  app.get(PATH, async (context, next) => {
    const visit = visitOf(deps, context)
    if (visit === undefined) return next()
    refuseOverPublicLimit(deps, context)
    if (!(await hasPublicLink(deps, visit))) return next()
    const isSent = context.req.query(SENT) !== undefined
    return sendFormPage(context, 200, isSent ? thanksPage() : reportPage(shownOf(deps, visit)))
  })
  app.post(PATH, async (context, next) => {
    const visit = visitOf(deps, context)
    if (visit === undefined) return next()
    refuseOverPublicLimit(deps, context)
    if (!(await hasPublicLink(deps, visit))) return next()
    return takeReport({ ...deps, mails, limit, ofNetworks }, context, visit)
  })
  app.all(PATH, async (context, next) =>
    METHODS.includes(context.req.method) || visitOf(deps, context) === undefined
      ? next()
      : methodNotAllowedResponse(context, METHODS),
  )
}

/** Of the short URL. Undefined if it can be none. */
function visitOf(
  { domains }: Pick<AddReportDeps, 'domains'>,
  { req, env }: Context<AppEnv>,
): Visit | undefined {
  const path = `/${codePath(req.param('code')!)}`
  const request = { method: req.method, host: req.header('host') ?? '', path, header: () => null }
  const from = { domains, ip: env.ip }
  return possibleVisits(request, from)[0]
}

type TakeDeps = AddReportDeps & Pick<PublicLimitDeps, 'metrics'> & { mails: ReportMails; limit: WindowLimit }

async function takeReport(deps: TakeDeps, context: Context<AppEnv>, visit: Visit): Promise<Response> {
  const { code, ip } = visit
  const form = shownOf(deps, visit)
  const request = { ...visit, header: (name: string) => context.req.header(name) }
  if (!isFromOwnPage(request, deps.domains.rootOf(visit.domainId)))
    throw new Refusal('cross_site_request', 'This request did not come from a page of this server.')
  const input = reportIn(context.req.header('content-type'), context.env.body)
  if (input === 'too-large')
    return sendFormPage(context, 413, reportPage({ ...form, alert: 'This is too long. Nothing was sent.' }))
  let report
  try {
    report = validated(newReport, input)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return sendFormPage(context, 422, reportPage({ ...form, sent: input, errors: error.fields }))
  }
  const { isAllowed, retryAfterSeconds } = deps.limit.count(reportKeys(ip))
  if (!isAllowed) {
    deps.metrics.rateLimitRefusals.network.add()
    context.header('Retry-After', String(retryAfterSeconds))
    const alert = 'Many reports have come from your network. Try again in an hour.'
    return sendFormPage(context, 429, reportPage({ ...form, sent: input, alert }))
  }
  const outcome = await addReport(deps, visit, { ...report, ip })
  if (outcome !== undefined) await deps.mails.tell(outcome)
  // A reload must not send it again.
  return context.redirect(`/report/${encodeURIComponent(code)}?${SENT}`, 303)
}

/** Of an IPv4 /24, an IPv6 /56, /48 and /32: how many single addresses they count as. */
const TIMES_OF_WIDTHS = { ipv4: [1, 4], ipv6: [1, 2, 4, 16] }

/** Fewer of a wide network than other limits allow: a person reports few links. */
function reportKeys(ip: string): LimitKey[] {
  const keys = limitKeys(ip)
  const times = keys.length > TIMES_OF_WIDTHS.ipv4.length ? TIMES_OF_WIDTHS.ipv6 : TIMES_OF_WIDTHS.ipv4
  return keys.map(({ key }, width) => ({ key, times: times[width]! }))
}

/** The short URL, as the page says it. */
const shownOf = ({ domains }: Pick<AddReportDeps, 'domains'>, { domainId, code }: Visit) => ({
  host: domains.prefixedHostOf(domainId),
  code,
})

function reportIn(type: string | undefined, body: Incoming): SentReport | 'too-large' {
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return { reason: '', message: '' }
  if (body === 'too-large' || (body?.byteLength ?? 0) > BODY_BYTES_MAX) return 'too-large'
  const fields = new URLSearchParams(new TextDecoder().decode(body))
  return { reason: fields.get('reason') ?? '', message: fields.get('message') ?? '' }
}
