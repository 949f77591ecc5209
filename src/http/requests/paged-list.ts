import { z } from '@hono/zod-openapi'
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, readSearch, SEARCH_CHARS_MAX } from '../../links/lists/list-links.ts'
import { ARCHIVED } from '../../links/lists/archived-links.ts'
import { choiceParameter, countParameter, type Query, textParameter } from './query.ts'

/** More pages than any account can fill. */
const PAGE_MAX = 1_000_000_000

/** The documentation of the parameters. */
export const pageParameters = z.object({
  page: z.int().min(1).default(1),
  per_page: z
    .int()
    .min(1)
    .default(PER_PAGE_DEFAULT)
    .openapi({ description: `More than ${PER_PAGE_MAX} is taken as ${PER_PAGE_MAX}.` }),
})

export const listParameters = pageParameters.extend({
  search: z.string().max(SEARCH_CHARS_MAX).optional().openapi({
    description:
      'Words of title, destination, codes and notes, whatever their case and order; all must be there. A short URL finds its link.',
    example: 'launch',
  }),
  external_id: z.string().optional().openapi({
    description: 'Your own ID of a link, to find it by. Not together with `search`.',
    example: 'order-7',
  }),
  archived: z.enum(ARCHIVED).default('exclude').openapi({
    description: 'Whether archived links are left out, listed alone, or listed with the others.',
  }),
})

/** To read the parameters with `readTogether`. */
export const pageReaders = (query: Query) => ({
  page: () => countParameter(query, 'page', { default: 1, max: PAGE_MAX }),
  perPage: () => countParameter(query, 'per_page', { default: PER_PAGE_DEFAULT, max: PER_PAGE_MAX }),
})

export const listReaders = (query: Query) => ({
  ...pageReaders(query),
  search: () => readSearch(textParameter(query, 'search')),
})

export const linkListReaders = (query: Query) => ({
  ...listReaders(query),
  archived: () => choiceParameter(query, 'archived', ARCHIVED),
})

/** The `meta` of a page. An empty list has one page. */
export const pageMeta = ({ page, perPage }: { page: number; perPage: number }, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
})
