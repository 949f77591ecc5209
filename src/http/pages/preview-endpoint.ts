import type { Context, Hono } from 'hono'
import { codePath } from '../../codes/unusual-code.ts'
import { findPreview } from '../../links/find-preview.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Clock } from '../../runtime/clock.ts'
import { FROM_PREVIEW } from '../../redirect/forward-query.ts'
import { passwordNeeded, unknownLink } from '../../redirect/notices.ts'
import { NEVER_STORED, type VisitResponse } from '../../redirect/visit-response.ts'
import type { Visit } from '../../redirect/visit.ts'
import type { ReadDb } from '../../store/handles.ts'
import { readSetting } from '../../workspaces/settings/read-settings.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import type { ProxiedVisit } from '../api-server/api-server.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import { possibleVisits } from '../requests/other-visits.ts'
import { visitRequestOf } from '../requests/visit-request.ts'
import { previewPage } from './preview-page.ts'

export type PreviewDeps = PublicLimitDeps & {
  db: ReadDb
  domains: Domains
  clock: Pick<Clock, 'nowUs'>
  /** On the redirect thread. */
  openLink(visits: readonly ProxiedVisit[]): Promise<VisitResponse | undefined>
}

const READING = ['GET', 'HEAD']
const PATH = '/:preview{.+(?:\\+|%2[Bb])}'

/** A short URL with a plus at its end. */
export function addPreviewPage(app: Hono<AppEnv>, deps: PreviewDeps): void {
  app.get(PATH, async (context, next) => {
    const visit = visitOf(deps, context)
    if (visit === undefined) return next()
    refuseOverPublicLimit(deps, context)
    return (await showPreview(deps, context, visit)) ?? next()
  })
  app.all(PATH, async (context, next) =>
    // A GET that comes here is no preview: there is no such link.
    READING.includes(context.req.method) || visitOf(deps, context) === undefined
      ? next()
      : methodNotAllowedResponse(context, READING),
  )
}

/** Of the short URL, without the preview's query. Undefined if it can be none. */
function visitOf({ domains }: PreviewDeps, { req, env }: Context<AppEnv>): Visit | undefined {
  const request = {
    ...visitRequestOf(req.raw),
    host: req.header('host') ?? '',
    path: req.path.replace(PLUS, ''),
  }
  const from = { domains, ip: env.ip }
  return possibleVisits(request, from)[0]
}

const PLUS = /(?:\+|%2b)$/i

/**
 * A link with a password has no preview: the page asks for it, and then leads on as the short URL does. HEAD is decided as GET
 * would be, is never a click, and does not learn the destination of a link that has to be opened for it: all that a preview
 * may say.
 */
async function showPreview(
  deps: PreviewDeps,
  context: Context<AppEnv>,
  visit: Visit,
): Promise<Response | undefined> {
  const { header: _, ...parts } = visit
  const headers = Object.fromEntries(context.req.raw.headers)
  const met = await deps.openLink([{ ...parts, method: 'HEAD', headers }])
  if (met === undefined) return undefined
  const opens = met.location !== undefined || met.status === 200 || met.status === 403
  if (!opens) return sendPage(context, met)
  const preview = await findPreview(deps, visit)
  // Deleted in this moment, or its workspace has turned the page off.
  if (preview === undefined || !(await readSetting(deps.db, preview.workspaceId, 'preview_pages')))
    return sendPage(context, unknownLink(visit))
  if (preview.hasPassword)
    return sendPage(context, passwordNeeded(visit, `/${codePath(visit.code)}?${FROM_PREVIEW}`))
  const host = deps.domains.prefixedHostOf(visit.domainId)
  const nowUs = deps.clock.nowUs()
  const body = previewPage({ ...preview, host, code: visit.code, destination: met.location, nowUs })
  return sendPage(context, { status: 200, headers: PAGE_HEADERS, body })
}

const PAGE_HEADERS = { ...NEVER_STORED, 'Content-Type': 'text/html; charset=utf-8' }

function sendPage(context: Context<AppEnv>, { status, headers, body }: VisitResponse): Response {
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  return context.body(body, status)
}
