import type { Hono } from 'hono'
import { readerOfToken, unsubscribe } from '../../email-reports/unsubscribe.ts'
import { html } from '../../html/html.ts'
import { noticePage } from '../../redirect/notice-pages.ts'
import type { DurableDb, ReadDb } from '../../store/handles.ts'
import type { AppContext, AppEnv } from '../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import { pageOr503, sendFormPage } from './send-form-page.ts'

type UnsubscribeDeps = PublicLimitDeps & { db: DurableDb; readDb: ReadDb }

const PATH = '/unsubscribe/:token'
const METHODS = ['GET', 'HEAD', 'POST']

/**
 * `/unsubscribe/{token}`: ends the email reports of a reader who need not be signed in. POST does it at once (RFC 8058), from anywhere:
 * the token is all that it takes. GET only shows a button, because programs that check mail open the links in it.
 */
export function addUnsubscribePage(app: Hono<AppEnv>, deps: UnsubscribeDeps): void {
  const find = ({ req }: AppContext) => readerOfToken(deps.readDb, req.param('token') ?? '')
  const show = pageOr503(async (context) => {
    refuseOverPublicLimit(deps, context)
    const reader = await find(context)
    return reader === undefined
      ? sendFormPage(context, 404, WRONG_PAGE)
      : sendFormPage(context, 200, QUESTION_PAGE)
  })
  const end = pageOr503(async (context) => {
    refuseOverPublicLimit(deps, context)
    const reader = await find(context)
    if (reader === undefined) return sendFormPage(context, 404, WRONG_PAGE)
    await unsubscribe(deps.db, reader)
    return sendFormPage(context, 200, DONE_PAGE)
  })
  app.get(PATH, show)
  app.post(PATH, end)
  app.all(PATH, (context) => methodNotAllowedResponse(context, METHODS))
}

// Without an action, it goes to the URL of the page.
const BUTTON = html`<form class="notice-again" method="post">
  <button class="button button-primary">Unsubscribe</button>
</form>`

const QUESTION_PAGE = noticePage({
  title: 'Unsubscribe from reports?',
  sentence: 'You will get no more of these weekly or monthly emails.',
  form: BUTTON,
})

const DONE_PAGE = noticePage({
  title: 'You are unsubscribed',
  sentence: 'You can choose reports again in the settings of the dashboard.',
})

const WRONG_PAGE = noticePage({
  title: 'This link does not work',
  sentence: 'It may be incomplete. Reports can also be turned off in the settings of the dashboard.',
})
