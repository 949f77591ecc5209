import { z } from 'zod'
import type { ClickFilter, ClickQuery } from '../clicks/queries/click-query.ts'
import { negatableParameter, type NegatableValues } from './negatable-parameter.ts'
import { REPORT_DIMENSION_NAMES, REPORT_DIMENSIONS, type ReportDimensionName } from './report-dimensions.ts'

// Which clicks a report is about, by what is known of each.

export type ClickFilters = NonNullable<ClickQuery['filters']>

/** A parameter for each dimension. */
export const clickFilterParameters = z.object(
  Object.fromEntries(REPORT_DIMENSION_NAMES.map((name) => [name, parameterOf(name)])) as Record<
    ReportDimensionName,
    ReturnType<typeof parameterOf>
  >,
)

function parameterOf(name: ReportDimensionName) {
  return negatableParameter(REPORT_DIMENSIONS[name].filter)
}

/** Those that were sent; undefined if none was. */
export function readClickFilters(
  parameters: z.output<typeof clickFilterParameters>,
): ClickFilters | undefined {
  const filters = REPORT_DIMENSION_NAMES.flatMap((name) => {
    const parameter = parameters[name]
    return parameter === undefined ? [] : [[name, storedFilter(name, parameter)] as const]
  })
  return filters.length === 0 ? undefined : Object.fromEntries(filters)
}

const storedFilter = (name: ReportDimensionName, { values, isNegated }: NegatableValues): ClickFilter => ({
  values: values.flatMap((value) => REPORT_DIMENSIONS[name].filter.stored(value)),
  isNegated,
})

/** The names of those by which no bot is found: of bots only the links are known. */
export const visitorFilters = (filters: ClickFilters = {}): string[] =>
  Object.keys(filters).filter((name) => name !== 'utm')
