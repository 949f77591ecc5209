import { z } from 'zod'
import { REQUIRED } from '../validation/field-rules.ts'

type Bounds = { min: number; max: number }

/** The length is checked before the elements are, so that a long list costs no more than its parsing. */
export const boundedList = <Element extends z.ZodType>(
  element: Element,
  bounds: Bounds,
): z.ZodType<z.output<Element>[], z.input<Element>[]> =>
  z.preprocess((sent, context) => {
    const sentence = Array.isArray(sent) ? wrongLength(sent, bounds) : notAList(sent)
    if (sentence === undefined) return sent
    context.issues.push({ code: 'custom', message: sentence, input: sent })
    return z.NEVER
  }, z.array(element).min(bounds.min).max(bounds.max))

const notAList = (sent: unknown) => (sent === undefined ? REQUIRED : 'The :attribute must be an array.')

function wrongLength({ length }: readonly unknown[], { min, max }: Bounds): string | undefined {
  if (length >= min && length <= max) return undefined
  if (min === 0) return `The :attribute may not have more than ${max} items.`
  return `The :attribute must have between ${min} and ${max} items.`
}
