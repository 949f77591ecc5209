import type { Context } from 'hono'
import { PAGE_POLICY } from '../../redirect/notices.ts'
import { NEVER_STORED } from '../../redirect/visit-response.ts'
import type { AppEnv } from '../dispatch/app-context.ts'

const FORM_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")

/** A page of its own with a form that is sent to this server. */
export function sendFormPage(
  context: Context<AppEnv>,
  status: 200 | 404 | 413 | 422 | 429,
  body: string,
): Response {
  for (const [name, value] of Object.entries(NEVER_STORED)) context.header(name, value)
  context.header('Content-Type', 'text/html; charset=utf-8')
  context.header('Content-Security-Policy', FORM_POLICY)
  return context.body(body, status)
}
