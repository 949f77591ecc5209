import type { Context } from 'hono'
import { errorBody } from '../error-body.ts'
import { Refusal, type RefusalKind } from '../refusal.ts'
import { FAULT_MESSAGE } from './plain-answer.ts'

/** The only map from a refusal to an HTTP status. */
export const STATUS_OF = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'not-json': 415,
  invalid: 422,
  'too-many': 429,
  unavailable: 503,
} as const satisfies Record<RefusalKind, number>

/** A success: `message` always, the rest as the endpoint has it. */
export type Success = { success: true; message: string; data?: unknown; meta?: unknown; count?: number }

export const success = (message: string, rest: Omit<Success, 'success' | 'message'> = {}): Success => ({
  success: true,
  message,
  ...rest,
})

const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON as it is; the charset is named because some clients guess otherwise. */
export function jsonAnswer(
  context: Context,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Response {
  context.header('Content-Type', JSON_TYPE)
  for (const [name, value] of Object.entries(headers)) context.header(name, value)
  return context.body(body, status as 200)
}

export function refusalAnswer(context: Context, refusal: Refusal): Response {
  const headers: Record<string, string> = {}
  if (refusal.retryAfterSeconds !== undefined) headers['Retry-After'] = String(refusal.retryAfterSeconds)
  // The dashboard knows no keys, and a browser that is asked for one would ask the person.
  if (refusal.kind === 'unauthenticated' && !context.req.path.startsWith('/dashboard/')) {
    headers['WWW-Authenticate'] = 'Bearer realm="api"'
  }
  return jsonAnswer(context, STATUS_OF[refusal.kind], errorBody(refusal.message, refusal.fields), headers)
}

/** A bug of ours. The log has the rest under the same request id. */
export function faultAnswer(context: Context): Response {
  return jsonAnswer(context, 500, errorBody(FAULT_MESSAGE))
}

export function methodAnswer(context: Context, allowed: readonly string[]): Response {
  return jsonAnswer(context, 405, errorBody('This method is not supported here.'), {
    Allow: allowed.join(', '),
  })
}
