import { z } from 'zod'
import { type Dimension, DIMENSIONS } from '../clicks/facts/dimensions.ts'
import type { ClickFilter, ClickQuery } from '../clicks/queries/click-query.ts'
import { several } from '../validation/query-parameters.ts'
import { type FilterDefinition, REPORT_DIMENSIONS } from './report-dimensions.ts'

// Which clicks a report is about, by what is known of each. The parameters of all reports, their documentation and how they are read.

export type ClickFilters = NonNullable<ClickQuery['filters']>

/** Before values of which none is wanted. */
const NOT = 'not:'
const VALUES_MAX = 20
const parameterOf = ({ description, example, value, stored }: FilterDefinition) =>
  several(valueOrNot(value), VALUES_MAX)
    .transform((values, context): ClickFilter | undefined => {
      if (values === undefined) return undefined
      const isNegated = values[0]!.startsWith(NOT)
      if (values.some((each) => each.startsWith(NOT) !== isNegated)) {
        context.addIssue(`The :attribute must have ${NOT} before all of its values, or before none.`)
        return z.NEVER
      }
      return {
        values: values.flatMap((each) => stored(isNegated ? each.slice(NOT.length) : each)),
        isNegated,
      }
    })
    .meta({
      description: `${description} May be repeated: any of them. With \`${NOT}\` before each value: none of them.`,
      example: [example],
    })

/** The same value with or without the word before it. */
const valueOrNot = (value: z.ZodType<string>) =>
  z.string().superRefine((text, context) => {
    const parsed = value.safeParse(text.startsWith(NOT) ? text.slice(NOT.length) : text)
    for (const { message } of parsed.error?.issues ?? []) context.addIssue(message)
  })

/** A parameter for each dimension. */
export const filterParameters = z.object(
  Object.fromEntries(DIMENSIONS.map((name) => [name, parameterOf(REPORT_DIMENSIONS[name].filter)])) as Record<
    Dimension,
    ReturnType<typeof parameterOf>
  >,
)

/** Those that were sent; undefined if none was. */
export function readFilters(parameters: z.output<typeof filterParameters>): ClickFilters | undefined {
  const filters = DIMENSIONS.flatMap((name) =>
    parameters[name] === undefined ? [] : [[name, parameters[name]]],
  )
  return filters.length === 0 ? undefined : Object.fromEntries(filters)
}
