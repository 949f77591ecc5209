import type { z } from 'zod'
import { fieldErrorsOf } from '../../errors/field-errors.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import {
  isNumeric,
  isRepeatable,
  pageParameters,
  searchParameter,
} from '../../validation/query-parameters.ts'
import type { Page } from '../../store/page-of-rows.ts'

/** All values of each parameter. The endpoints decide about repeated ones. */
export type Query = Record<string, string[]>

export function readQuery(target: string): Query {
  const query: Query = Object.create(null)
  const at = target.indexOf('?')
  if (at === -1) return query
  for (const [name, value] of new URLSearchParams(target.slice(at + 1))) (query[name] ??= []).push(value)
  return query
}

/** Undefined if it is absent or empty, refused if it is repeated. */
export function textParameter(query: Query, name: string): string | undefined {
  const values = query[name] ?? []
  if (values.length > 1) throw invalid({ [name]: [onlyOnce(name)] })
  return values[0] === '' ? undefined : values[0]
}

/** The parameters that the schema documents, as it reads them. Throws one refusal with the errors of all. */
export function readParameters<Schema extends z.ZodObject>(schema: Schema, query: Query): z.output<Schema> {
  const parameters: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const [name, parameter] of Object.entries(schema.shape)) {
    const values = isRepeatable(parameter) ? [...new Set(query[name])] : (query[name] ?? [])
    if (values.length > 1 && !isRepeatable(parameter)) errors[name] = [onlyOnce(name)]
    else
      parameters[name] = valueOf(
        parameter,
        values.filter((value) => value !== ''),
      )
  }
  const parsed = schema.safeParse(parameters)
  if (!parsed.success) Object.assign(errors, errorsByParameter(parsed.error.issues))
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return parsed.data as z.output<Schema>
}

function valueOf(parameter: z.ZodType, texts: readonly string[]): unknown {
  if (texts.length === 0) return undefined
  const values = isNumeric(parameter) ? texts.map(numberOf) : texts
  return isRepeatable(parameter) ? values : values[0]
}

/** What is no number remains a text, which the schema refuses. */
const numberOf = (text: string) =>
  /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : text

/** One sentence about all values of a parameter, where several are invalid in the same way. */
function errorsByParameter(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = fieldErrorsOf(issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) })))
  return Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [name, [...new Set(sentences)]]),
  )
}

const onlyOnce = (name: string) => `The ${name.replaceAll('_', ' ')} may be given only once.`

export const searchedPageParameters = pageParameters.extend({ search: searchParameter })

/** The `meta` of a page. An empty list has one page. */
export const pageMeta = ({ page, perPage }: Page, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
})
