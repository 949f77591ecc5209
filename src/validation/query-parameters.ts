import { z } from 'zod'
import { time } from './field-rules.ts'

// Query parameters: one schema reads a parameter and documents it. In messages, `:attribute` stands for its name; see fieldErrorsOf.

export const PER_PAGE_DEFAULT = 15
const PER_PAGE_MAX = 100
/** More pages than any workspace can fill. */
const PAGE_MAX = 1_000_000_000
const SEARCH_CHARS_MAX = 255
/** More values than anyone chooses by hand. */
const VALUES_MAX = 50
export const VALUE_LENGTH_MAX = 255
const ID_MAX = 999_999_999_999_999

const NO_COUNT = 'The :attribute must be an integer of at least 1.'

const count = z.int(NO_COUNT).min(1, NO_COUNT)

/** As lists show it. */
export const idParameter = count.refine((id) => id <= ID_MAX, NO_COUNT)

export const wellFormedText = z
  .string()
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'The :attribute must be well-formed text.')

export const textParameter = (lengthMax: number) =>
  wellFormedText.refine(
    ({ length }) => length <= lengthMax,
    `The :attribute may not be greater than ${lengthMax} characters.`,
  )

export const nameParameter = textParameter(VALUE_LENGTH_MAX)

/** A time as it was written: in a query, the plus sign of an offset is a blank unless it is encoded. */
export const writtenTime = z.string().transform((text) => text.replace(/ (?=\d\d:?\d\d$)/, '+'))

/** In microseconds. */
export const timeParameter = writtenTime.pipe(time).meta({ format: 'date-time' })

/** A parameter that may be repeated: any of its values. */
export const several = <Schema extends z.ZodType>(schema: Schema, max = VALUES_MAX) =>
  z
    .array(schema)
    .refine(({ length }) => length <= max, `The :attribute may not be given more than ${max} times.`)
    .readonly()
    .optional()

/** The text to search for; '' when none is given, or only blanks. */
export const searchParameter = wellFormedText
  .refine(
    (text) => [...text].length <= SEARCH_CHARS_MAX,
    `The :attribute may not be greater than ${SEARCH_CHARS_MAX} characters.`,
  )
  .meta({ maxLength: SEARCH_CHARS_MAX })
  .optional()
  .transform((text = '') => text.trim())

export const pageParameters = z.object({
  page: count.transform((page) => Math.min(page, PAGE_MAX)).default(1),
  per_page: count
    .transform((perPage) => Math.min(perPage, PER_PAGE_MAX))
    .default(PER_PAGE_DEFAULT)
    .meta({ description: `More than ${PER_PAGE_MAX} is taken as ${PER_PAGE_MAX}.` }),
})

/** Whether the schema is that of a list, such as `several` makes. */
export const isRepeatable = (schema: z.core.$ZodType): boolean =>
  innerType(schema) instanceof z.core.$ZodArray

/** Whether the schema reads numbers. */
export function isNumeric(schema: z.core.$ZodType): boolean {
  const inner = innerType(schema)
  return (
    inner instanceof z.core.$ZodNumber ||
    (inner instanceof z.core.$ZodArray && isNumeric(inner._zod.def.element))
  )
}

/** What is sent: without defaults, transformations, and whether it may be absent. */
function innerType(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodPipe) return innerType(schema._zod.def.in)
  const isWrapper =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodReadonly
  return isWrapper ? innerType(schema._zod.def.innerType) : schema
}
