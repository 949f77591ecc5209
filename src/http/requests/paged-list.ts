import { z } from '@hono/zod-openapi'
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, readSearch, SEARCH_CHARS_MAX } from '../../links/lists/list-links.ts'
import { ARCHIVED } from '../../links/lists/archived-links.ts'
import { type LinkFilters, LISTED_IDS_MAX, readExternalId } from '../../links/lists/link-filters.ts'
import type { LabelFilter } from '../../links/lists/labeled-links.ts'
import { DIRECTIONS, LINK_SORTS, type LinkOrder, usualDirection } from '../../links/lists/link-order.ts'
import { NO_DOMAIN } from '../../links/domains/domain-hosts.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { LINK_STATUSES } from '../../links/link-status.ts'
import { readTogether } from './read-together.ts'
import type { Page } from '../../store/page-of-rows.ts'
import {
  choiceParameter,
  choicesParameter,
  countParameter,
  idsParameter,
  type Query,
  someChoiceParameter,
  textParameter,
  textsParameter,
  timeParameter,
} from './query.ts'

/** More pages than any account can fill. */
const PAGE_MAX = 1_000_000_000

const YES_OR_NO = ['false', 'true'] as const
const TAG_MODES = ['any', 'all'] as const

/** A query parameter that may be repeated. */
export const several = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).optional()

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
  id: several(z.int().min(1)).openapi({
    description: `Only this link, by its ID. May be repeated up to ${LISTED_IDS_MAX} times: any of them.`,
  }),
  external_id: z.string().optional().openapi({
    description: 'Your own ID of a link, to find it by.',
    example: 'order-7',
  }),
  status: several(z.enum(LINK_STATUSES)).openapi({
    description: 'Only links with this status: what a visitor would meet now. May be repeated: any of them.',
    example: ['expired'],
  }),
  needs_attention: z.enum(YES_OR_NO).default('false').openapi({
    description:
      '`true`: only links that are blocked, and those that are on and not over but end within seven days, have used at least 90 % of `max_clicks`, or are on a domain that does not work.',
  }),
  tag: several(z.string()).openapi({
    description: 'Only links with this tag, whatever its case. May be repeated: see `tag_mode`.',
    example: ['Winter 2026'],
  }),
  tag_mode: z.enum(TAG_MODES).default('any').openapi({
    description: 'Whether a link must have any of the tags, or all of them.',
  }),
  folder: several(z.string()).openapi({
    description: 'Only links in this folder, whatever its case. May be repeated: any of them.',
  }),
  domain: several(z.string()).openapi({
    description:
      'Only links on this domain, by the host of their short URLs. May be repeated: any of them. A host that is not one of the workspace finds nothing.',
    example: ['go.example.com'],
  }),
  created_by: several(z.int().min(1)).openapi({
    description: 'Only links that this user created, by ID. May be repeated: any of them.',
  }),
  created_from: z.iso.datetime({ offset: true }).optional().openapi({
    description: 'Only links created at this time or later. ISO 8601 with its zone.',
    example: '2026-11-01T00:00:00Z',
  }),
  created_to: z.iso.datetime({ offset: true }).optional().openapi({
    description: 'Only links created before this time. ISO 8601 with its zone.',
    example: '2026-12-01T00:00:00Z',
  }),
  expires_before: z.iso.datetime({ offset: true }).optional().openapi({
    description:
      'Only links that end before this time, those that have ended among them. ISO 8601 with its zone.',
    example: '2026-12-01T00:00:00Z',
  }),
  archived: z.enum(ARCHIVED).default('exclude').openapi({
    description: 'Whether archived links are left out, listed alone, or listed with the others.',
  }),
  sort: z.enum(LINK_SORTS).default('created_at').openapi({
    description:
      'What the list is sorted by. Links that never had a click count as the least clicked, and those without a title come last.',
  }),
  order: z.enum(DIRECTIONS).optional().openapi({
    description: 'By default, titles ascend and everything else descends.',
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

/** Whose links are listed. */
type ListOwner = { domains: Pick<Domains, 'idsFor'>; workspaceId: number }

export const linkListReaders = (query: Query, { domains, workspaceId }: ListOwner) => ({
  ...listReaders(query),
  filters: (): LinkFilters =>
    readTogether({
      archived: () => choiceParameter(query, 'archived', ARCHIVED),
      ids: () => idsParameter(query, 'id', LISTED_IDS_MAX),
      statuses: () => choicesParameter(query, 'status', LINK_STATUSES),
      needsAttention: () => choiceParameter(query, 'needs_attention', YES_OR_NO) === 'true' || undefined,
      externalId: () => readExternalId(textParameter(query, 'external_id')),
      labels: () => readLabelFilter(query),
      domainIds: () =>
        textsParameter(query, 'domain')?.flatMap((host) => {
          const ids = domains.idsFor(workspaceId, host)
          return ids.length === 0 ? [NO_DOMAIN] : ids
        }),
      createdBy: () => idsParameter(query, 'created_by'),
      created: () => readCreated(query),
      endsBeforeUs: () => timeParameter(query, 'expires_before'),
    }),
  order: () => readOrder(query),
})

function readLabelFilter(query: Query): LabelFilter | undefined {
  const tags = textsParameter(query, 'tag')
  const folders = textsParameter(query, 'folder')
  const tagMode = choiceParameter(query, 'tag_mode', TAG_MODES)
  if (tags === undefined && folders === undefined) return undefined
  return { tags: tags ?? [], tagMode, folders: folders ?? [] }
}

function readCreated(query: Query): LinkFilters['created'] {
  const { fromUs, toUs } = readTogether({
    fromUs: () => timeParameter(query, 'created_from'),
    toUs: () => timeParameter(query, 'created_to'),
  })
  return fromUs === undefined && toUs === undefined ? undefined : { fromUs, toUs }
}

function readOrder(query: Query): LinkOrder {
  const sort = choiceParameter(query, 'sort', LINK_SORTS)
  return { sort, direction: someChoiceParameter(query, 'order', DIRECTIONS) ?? usualDirection(sort) }
}

/** The `meta` of a page. An empty list has one page. */
export const pageMeta = ({ page, perPage }: Page, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
})
