import { type FieldErrors, invalid, Refusal } from '../../errors/refusal.ts'
import type { Query } from '../requests/query.ts'
import type { ReadingContext } from './body-and-query.ts'
import type { Endpoint } from './endpoint.ts'

/** The body and the query as the endpoint takes them. One refusal names the errors of both. */
export async function readValues(
  { input, query: parameters }: Pick<Endpoint, 'input' | 'query'>,
  { body, query }: { body: Record<string, unknown>; query: Query },
  context: ReadingContext,
): Promise<{ input: unknown; query: unknown }> {
  const errors: FieldErrors = {}
  const collect = (error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    Object.assign(errors, error.fields)
  }
  const values = {
    input: await Promise.try(() => input?.read(body, context)).catch(collect),
    query: await Promise.try(() => parameters?.read(query, context)).catch(collect),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return values
}
