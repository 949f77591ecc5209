import type { Hono } from 'hono'
import { Refusal } from '../../errors/refusal.ts'
import { html } from '../../html/html.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { countedCookie, uncountedCookie } from '../../links/own-traffic/uncounted-cookie.ts'
import { noticePage } from '../../redirect/notice-pages.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { useExclusionToken } from '../../users/own-traffic/exclude-browser.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { isFromOwnPage } from '../dispatch/origins.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import { pageOr503, sendFormPage } from './send-form-page.ts'

export type OwnTrafficDeps = PublicLimitDeps & {
  db: DurableDb
  clock: Clock
  domains: Pick<Domains, 'idOf' | 'rootOf'>
  baseUrl: string
}

const PATH = '/own-traffic'
const TOKEN_PATH = `${PATH}/:token`

/**
 * `/own-traffic/{token}`, on every host: excludes the browser from the counts of a workspace, by a link of the dashboard that works
 * once. A page of somebody else has no such link. `POST /own-traffic`, from the page that this shows, counts its visits again.
 */
export function addOwnTrafficPage(app: Hono<AppEnv>, deps: OwnTrafficDeps): void {
  const exclude = pageOr503(async (context) => {
    refuseOverPublicLimit(deps, context)
    // Programs send HEAD to look whether a link works, which would use this one up.
    if (context.env.isHead) return methodNotAllowedResponse(context, ['GET'])
    const domainId = deps.domains.idOf(context.req.header('host') ?? '')
    const exclusion = await useExclusionToken(deps, { token: context.req.param('token') ?? '', domainId })
    if (exclusion === undefined) return sendFormPage(context, 404, SPENT_PAGE)
    const cookies = context.req.header('cookie') ?? ''
    context.header('Set-Cookie', uncountedCookie(cookies, exclusion, placeOf(deps)))
    return sendFormPage(context, 200, EXCLUDED_PAGE)
  })
  app.get(TOKEN_PATH, exclude)
  app.post(PATH, (context) => {
    refuseOverPublicLimit(deps, context)
    const host = context.req.header('host') ?? ''
    const request = { method: 'POST', host, header: (name: string) => context.req.header(name) }
    if (!isFromOwnPage(request, deps.domains.rootOf(deps.domains.idOf(host))))
      throw new Refusal('cross_site_request', 'This request did not come from a page of this server.')
    context.header('Set-Cookie', countedCookie(placeOf(deps)))
    return sendFormPage(context, 200, COUNTED_PAGE)
  })
  app.all(TOKEN_PATH, (context) => methodNotAllowedResponse(context, ['GET']))
  app.all(PATH, (context) => methodNotAllowedResponse(context, ['POST']))
}

const placeOf = ({ baseUrl }: OwnTrafficDeps) => ({ isSecure: baseUrl.startsWith('https:') })

const EXCLUDED_PAGE = noticePage({
  title: 'Your visits are not counted',
  sentence:
    'Short links of the workspace on this domain lead on as always, and clicks in this browser are not counted.',
  form: html`<form class="notice-again" method="post" action="${PATH}">
    <button class="button button-primary">Count my visits again</button>
  </form>`,
})

const COUNTED_PAGE = noticePage({
  title: 'Your visits are counted again',
  sentence: 'Clicks in this browser count like those of any other visitor.',
})

const SPENT_PAGE = noticePage({
  title: 'This link does not work any more',
  sentence:
    'It works once, for a few minutes, on one domain. The settings of the dashboard have another one.',
})
