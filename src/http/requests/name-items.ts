import { mergedSentences } from '../../errors/field-codes.ts'
import { type FieldErrors, InvalidItems, invalid } from '../../errors/refusal.ts'

/** For `catch`: what is wrong with an item of this list is named by its place and its field: `links.3.title`. */
export const namedIn =
  (list: string) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidItems)) throw error
    throw invalid(
      Object.fromEntries(
        error.faults.map(({ index, field, sentences }) => [`${list}.${index}.${field}`, sentences]),
      ),
    )
  }

/** For `catch`: the items of this list only name what is changed, so all that is wrong is wrong with the item: `short_codes.3`. */
export const namedWhole =
  (list: string) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidItems)) throw error
    const fields: FieldErrors = {}
    for (const { index, sentences } of error.faults) {
      const name = `${list}.${index}`
      fields[name] = mergedSentences({ before: fields[name] ?? [], sentences })
    }
    throw invalid(fields)
  }
