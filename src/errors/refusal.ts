import { REFUSAL_CODES, type RefusalCode, type RefusalKind } from './refusal-codes.ts'

/** Field name (dotted inside arrays: `links.3.title`) to the sentences about it. */
export type FieldErrors = Record<string, string[]>

type RefusalDetail = { fields?: FieldErrors; retryAfterSeconds?: number }

/** The one error that a caller can fix. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly fields: FieldErrors
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, detail: RefusalDetail = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.fields = detail.fields ?? {}
    this.retryAfterSeconds = detail.retryAfterSeconds
  }

  get kind(): RefusalKind {
    return REFUSAL_CODES[this.code][0]
  }
}

/** Invalid values. As in Laravel, the message is the first sentence and the number of the others. */
export function invalid(fields: FieldErrors): Refusal {
  const sentences = Object.values(fields).flat()
  const others = sentences.length - 1
  const more = others > 0 ? ` (and ${others} more error${others > 1 ? 's' : ''})` : ''
  const message = (sentences[0] ?? 'The given data was invalid.') + more
  return new Refusal('validation_failed', message, { fields })
}
