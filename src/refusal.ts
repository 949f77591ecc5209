/** Why a caller is told "no". HTTP statuses and exit codes are chosen from it at the doors, nowhere else. */
export type RefusalKind =
  | 'malformed' // the request cannot be read at all: broken JSON, a bad percent-encoding
  | 'unauthenticated' // no key, or not a key of ours
  | 'forbidden' // known caller, not allowed: unverified e-mail, missing scope
  | 'not-found' // no such thing, or somebody else's
  | 'gone' // it was taken down by the operator
  | 'conflict' // the same Idempotency-Key is still being worked on
  | 'too-large' // body over the limit
  | 'not-json' // a body of another content type
  | 'invalid' // values that break a rule; `fields` names them
  | 'too-many' // a limit is used up; `retryAfterSeconds` says when to come again
  | 'unavailable' // the service cannot do it now; `retryAfterSeconds` says when to come again

/** Field name (dotted inside arrays: `links.3.title`) to the sentences that say what is wrong with it. */
export type FieldErrors = Record<string, string[]>

type RefusalDetail = { fields?: FieldErrors; retryAfterSeconds?: number }

/** The one error a caller can mend. Anything else that is thrown is a bug of ours. */
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

/** Values that break a rule. The message is the first sentence, with the count of the others (Laravel's habit). */
export function invalid(fields: FieldErrors): Refusal {
  const sentences = Object.values(fields).flat()
  const others = sentences.length - 1
  const more = others > 0 ? ` (and ${others} more error${others > 1 ? 's' : ''})` : ''
  return new Refusal('invalid', (sentences[0] ?? 'The given data was invalid.') + more, { fields })
}
