import type { Context } from 'hono'
import { noticePage } from '../../redirect/notice-pages.ts'
import { PAGE_POLICY } from '../../redirect/notices.ts'
import { NEVER_STORED } from '../../redirect/visit-response.ts'
import type { AppContext, AppEnv } from '../dispatch/app-context.ts'
import { refusalOf } from '../responses/refusal-of-error.ts'

const FORM_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")

/** A page of its own with a form that is sent to this server. */
export function sendFormPage(
  context: Context<AppEnv>,
  status: 200 | 404 | 413 | 422 | 429 | 503,
  body: string,
): Response {
  for (const [name, value] of Object.entries(NEVER_STORED)) context.header(name, value)
  context.header('Content-Type', 'text/html; charset=utf-8')
  context.header('Content-Security-Policy', FORM_POLICY)
  return context.body(body, status)
}

/** For people: a page also while the database is away. Other refusals are those of the API. */
export const pageOr503 =
  (answer: (context: AppContext) => Promise<Response>) =>
  async (context: AppContext): Promise<Response> => {
    try {
      return await answer(context)
    } catch (error) {
      const refusal = refusalOf(error, context.req.method)
      if (refusal?.kind !== 'unavailable') throw error
      const { message, retryAfterSeconds = 1 } = refusal
      context.header('Retry-After', String(retryAfterSeconds))
      return sendFormPage(context, 503, noticePage({ title: 'Not possible right now', sentence: message }))
    }
  }
