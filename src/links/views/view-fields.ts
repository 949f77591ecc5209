import { z } from 'zod'
import { lineOfText, NOT_A_STRING, REQUIRED, trueOrFalse } from '../../validation/field-rules.ts'
import { LIST_PARAMETERS } from '../lists/list-parameters.ts'

const NAME_LENGTH_MAX = 60
const QUERY_LENGTH_MAX = 2_000
const NOT_A_QUERY = 'The :attribute must be the query of a URL.'

const { id: _id, expires_before: _expiresBefore, ...listParameters } = LIST_PARAMETERS

/** What a view keeps: filters, sorting and columns, but neither the page nor what is selected. It ends some days from now, not at a time. */
const KEPT_PARAMETERS: ReadonlySet<string> = new Set([
  ...Object.keys(listParameters),
  'ends_in_days',
  'columns',
  'per_page',
])

const name = lineOfText(NAME_LENGTH_MAX)
  .transform((text) => text.trim())
  .refine((text) => text !== '', REQUIRED)

/** Other parameters are dropped, and encoding that can be written in several ways is written in one. */
const query = z
  .string(NOT_A_STRING)
  .refine(
    ({ length }) => length <= QUERY_LENGTH_MAX,
    `The :attribute may not be greater than ${QUERY_LENGTH_MAX} characters.`,
  )
  .refine(isEncoded, NOT_A_QUERY)
  .transform((text) => {
    const pairs = [...new URLSearchParams(text)].filter(([key]) => KEPT_PARAMETERS.has(key))
    return new URLSearchParams(pairs).toString()
  })
  .refine(
    ({ length }) => length <= QUERY_LENGTH_MAX,
    `The :attribute may not be greater than ${QUERY_LENGTH_MAX} characters.`,
  )

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text).isWellFormed()
  } catch {
    return false
  }
}

const NO_OBJECT = 'The :attribute must be an object.'

export const newView = z.strictObject({ name, query, is_shared: trueOrFalse.default(false) }, NO_OBJECT)
export type NewView = z.output<typeof newView>
export const viewChanges = z.strictObject(
  { name: name.optional(), query: query.optional(), is_shared: trueOrFalse.optional() },
  NO_OBJECT,
)
export type ViewChanges = z.output<typeof viewChanges>
