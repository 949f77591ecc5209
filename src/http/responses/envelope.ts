import type { Context } from 'hono'
import { errorBody } from '../../errors/error-body.ts'
import type { Refusal } from '../../errors/refusal.ts'
import { ERROR_MESSAGE } from './plain-response.ts'
import { statusOf } from './refusal-status.ts'

export type Success = {
  success: true
  message: string
  data?: unknown
  meta?: unknown
  count?: number | undefined
}

export const success = (message: string, rest: Omit<Success, 'success' | 'message'> = {}): Success => ({
  success: true,
  message,
  ...rest,
})

const JSON_TYPE = 'application/json; charset=utf-8'

/** With a charset, because some clients guess another one. */
export function jsonResponse(
  context: Context,
  {
    status,
    body,
    headers = {},
  }: { status: number; body: string; headers?: Record<string, string> | undefined },
): Response {
  context.header('Content-Type', JSON_TYPE)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  return context.body(body, status as 200)
}

export function refusalResponse(context: Context, refusal: Refusal): Response {
  const headers: Record<string, string> = {}
  if (refusal.retryAfterSeconds !== undefined) headers['Retry-After'] = String(refusal.retryAfterSeconds)
  // Not for the dashboard: the browser would show a prompt.
  if (refusal.kind === 'unauthenticated' && !context.req.path.startsWith('/dashboard/')) {
    headers['WWW-Authenticate'] = 'Bearer realm="api"'
  }
  return jsonResponse(context, {
    status: statusOf(refusal.code),
    body: errorBody(refusal.code, refusal.message, refusal.fields),
    headers,
  })
}

/** For unexpected errors. The log has the details under the request ID. */
export function internalErrorResponse(context: Context): Response {
  return jsonResponse(context, { status: 500, body: errorBody('internal_error', ERROR_MESSAGE) })
}

export function methodNotAllowedResponse(context: Context, allowed: readonly string[]): Response {
  return jsonResponse(context, {
    status: 405,
    body: errorBody('method_not_allowed', 'This method is not supported here.'),
    headers: { Allow: allowed.join(', ') },
  })
}
