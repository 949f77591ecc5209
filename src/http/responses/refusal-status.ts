import { REFUSAL_CODES, type RefusalCode, type RefusalKind } from '../../errors/refusal-codes.ts'

/** The only place that maps refusals to HTTP statuses. */
const STATUS_OF = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'not-allowed': 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'not-json': 415,
  invalid: 422,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
  // Commands have no requests. If one of their refusals ever answers one, that is a bug.
  command: 500,
} as const satisfies Record<RefusalKind, number>

export const statusOf = (code: RefusalCode): number => STATUS_OF[REFUSAL_CODES[code][0]]
