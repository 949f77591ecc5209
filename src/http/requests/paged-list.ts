import type { Page } from '../../store/page-of-rows.ts'
import { pageParameters, searchParameter } from '../../validation/query-parameters.ts'

export const searchedPageParameters = pageParameters.extend({ search: searchParameter })

/** The `meta` of a page. An empty list has one page. */
export const pageMeta = ({ page, perPage }: Page, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
})
