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

/** Invalid values. */
export const invalid = (fields: FieldErrors): Refusal =>
  new Refusal('validation_failed', summaryOf(fields), { fields })

/** As in Laravel: the first sentence and the number of the others. */
function summaryOf(fields: FieldErrors): string {
  const sentences = Object.values(fields).flat()
  const others = sentences.length - 1
  const more = others > 0 ? ` (and ${others} more error${others > 1 ? 's' : ''})` : ''
  return (sentences[0] ?? 'The given data was invalid.') + more
}

/** What is wrong with a field of one of the items that a request is about. */
export type ItemFault = { index: number; field: string; sentences: string[] }

/** Invalid values of items. The names of the fields are those of a request about one item; see `namedIn` for lists. */
export class InvalidItems extends Refusal {
  readonly faults: readonly ItemFault[]

  constructor(faults: readonly ItemFault[]) {
    const fields = Object.fromEntries(faults.map(({ field, sentences }) => [field, sentences]))
    super('validation_failed', summaryOf(fields), { fields })
    this.faults = faults
  }
}

/** Refuses the items if anything is wrong with them. */
export function refuseFaults(faults: readonly ItemFault[]): void {
  if (faults.length > 0) throw new InvalidItems(faults)
}

/** For `catch`: what is wrong with values is wrong with the item at this index. */
export const blamedOn =
  (index: number) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    const faults = Object.entries(error.fields).map(([field, sentences]) => ({ index, field, sentences }))
    throw new InvalidItems(faults)
  }
