import { errorBody } from '../error-body.ts'
import { describeError, type Log } from '../log.ts'
import { DATA_HEADERS } from './security-headers.ts'

/** What a client hears of a bug; the log has the rest under the same request id. */
export const FAULT_MESSAGE = 'Something went wrong on our side. The X-Request-Id header names this request.'

/** Writes a bug down. Gives the id of the request, under which it is found. */
export function logFault(log: Log, error: unknown): string {
  const id = Bun.randomUUIDv7()
  log.error('A request failed.', { request_id: id, ...describeError(error) })
  return id
}

/** An answer in the envelope for requests that never get as far as the API. */
export function plainAnswer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return new Response(errorBody(message), {
    status,
    headers: {
      ...Object.fromEntries(DATA_HEADERS),
      'X-Request-Id': Bun.randomUUIDv7(),
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
    },
  })
}
