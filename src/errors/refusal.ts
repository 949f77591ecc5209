/** Why a request is refused. Only http/ and cli/ turn it into a status or an exit code. */
export type RefusalKind =
  | 'malformed' // the request cannot be read at all: broken JSON, a bad percent-encoding
  | 'unauthenticated' // no key, or an unknown one
  | 'forbidden' // known caller, not allowed: unverified e-mail, missing scope
  | 'not-found' // it does not exist, or belongs to somebody else
  | 'gone' // taken down by the operator
  | 'conflict' // a request with the same Idempotency-Key is still running
  | 'too-large' // body over the limit
  | 'not-json' // a body of another content type
  | 'invalid' // invalid values; `fields` names them
  | 'too-many' // a limit is used up; `retryAfterSeconds` says when to retry
  | 'unavailable' // temporarily; `retryAfterSeconds` says when to retry

/** Field name (dotted inside arrays: `links.3.title`) to the sentences about it. */
export type FieldErrors = Record<string, string[]>

type RefusalDetail = { fields?: FieldErrors; retryAfterSeconds?: number }

/** The one error that a caller can fix. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly fields: FieldErrors
  readonly retryAfterSeconds: number | undefined

  constructor(kind: RefusalKind, message: string, detail: RefusalDetail = {}) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.fields = detail.fields ?? {}
    this.retryAfterSeconds = detail.retryAfterSeconds
  }
}

/** Invalid values. As in Laravel, the message is the first sentence and the number of the others. */
export function invalid(fields: FieldErrors): Refusal {
  const sentences = Object.values(fields).flat()
  const others = sentences.length - 1
  const more = others > 0 ? ` (and ${others} more error${others > 1 ? 's' : ''})` : ''
  return new Refusal('invalid', (sentences[0] ?? 'The given data was invalid.') + more, { fields })
}
