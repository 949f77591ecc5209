import type { z } from 'zod'

/** For what is unknown or was not sent, where no other word says it. */
export const NO_VALUE = 'unknown'

export type FilterDefinition = {
  description: string
  example: string
  /** Of one value. */
  value: z.ZodType<string, string>
  /** As clicks have it; nothing else has to be compared. */
  stored(value: string): readonly string[]
}

type ReportDimension<Report extends string, Shape extends z.ZodRawShape> = {
  /** The breakdown: its endpoint, and its name in other answers. */
  report: Report
  /** What clicks are read by, in the document. */
  by: string
  filter: FilterDefinition
  /** The schema of rows in the document. */
  rowName: string
  /** What a row says beside its counts. */
  row: Shape
  view(value: string): z.infer<z.ZodObject<Shape>>
}

export const dimension = <const Report extends string, Shape extends z.ZodRawShape>(
  definition: ReportDimension<Report, Shape>,
) => definition

export const orUnknown = (stored: (value: string) => string) => (value: string) =>
  value.toLowerCase() === NO_VALUE ? [''] : [stored(value)]
