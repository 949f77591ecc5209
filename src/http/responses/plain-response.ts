import { errorBody } from '../../errors/error-body.ts'
import type { RefusalCode } from '../../errors/refusal-codes.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import { statusOf } from './refusal-status.ts'
import { DATA_HEADERS } from './security-headers.ts'

/** The log has the details under the request ID. */
export const ERROR_MESSAGE = 'Something went wrong on our side. The X-Request-Id header names this request.'

/** Logs an unexpected error. Returns the request ID to send to the client. */
export function logError(log: Log, error: unknown): string {
  const id = Bun.randomUUIDv7()
  log.error('A request failed.', { request_id: id, ...describeError(error) })
  return id
}

type PlainParts = { headers: Record<string, string>; body: string }

/** A response in the API's format to requests that do not reach the API thread. */
export const plainParts = (
  { code, message }: { code: RefusalCode; message: string },
  headers: Record<string, string> = {},
): PlainParts => ({
  headers: {
    ...Object.fromEntries(DATA_HEADERS),
    'X-Request-Id': Bun.randomUUIDv7(),
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
  },
  body: errorBody(code, message),
})

export function plainResponse(
  code: RefusalCode,
  message: string,
  moreHeaders?: Record<string, string>,
): Response {
  const { headers, body } = plainParts({ code, message }, moreHeaders)
  return new Response(body, { status: statusOf(code), headers })
}
