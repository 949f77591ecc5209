import { z } from 'zod'
import { type Dimension, DIMENSIONS } from '../clicks/facts/dimensions.ts'
import type { ClickFilter, ClickQuery } from '../clicks/queries/click-query.ts'
import { negatableParameter, type NegatableValues } from './negatable-parameter.ts'
import { REPORT_DIMENSIONS } from './report-dimensions.ts'

// Which clicks a report is about, by what is known of each.

export type ClickFilters = NonNullable<ClickQuery['filters']>

/** A parameter for each dimension. */
export const clickFilterParameters = z.object(
  Object.fromEntries(DIMENSIONS.map((name) => [name, parameterOf(name)])) as Record<
    Dimension,
    ReturnType<typeof parameterOf>
  >,
)

function parameterOf(name: Dimension) {
  return negatableParameter(REPORT_DIMENSIONS[name].filter)
}

/** Those that were sent; undefined if none was. */
export function readClickFilters(
  parameters: z.output<typeof clickFilterParameters>,
): ClickFilters | undefined {
  const filters = DIMENSIONS.flatMap((name) => {
    const sent = parameters[name]
    return sent === undefined ? [] : [[name, storedFilter(name, sent)] as const]
  })
  return filters.length === 0 ? undefined : Object.fromEntries(filters)
}

const storedFilter = (name: Dimension, { values, isNegated }: NegatableValues): ClickFilter => ({
  values: values.flatMap((value) => REPORT_DIMENSIONS[name].filter.stored(value)),
  isNegated,
})
