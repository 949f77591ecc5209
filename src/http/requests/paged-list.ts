import type { z } from 'zod'
import type { Page } from '../../store/page-of-rows.ts'
import { pageParameters, searchParameter } from '../../validation/query-parameters.ts'
import { type Query, readParameters } from './query.ts'

export const searchedPageParameters = pageParameters.extend({ search: searchParameter })

/** Of a list that has pages. The other parameters have their own names. */
export function readPage<Schema extends typeof pageParameters>(
  schema: Schema,
  query: Query,
): Page & Omit<z.output<Schema>, 'per_page'> {
  const { per_page: perPage, ...others } = readParameters(schema, query)
  return { ...others, perPage }
}

/** The `meta` of a page. An empty list has one page. */
export const pageMeta = ({ page, perPage }: Page, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
})
