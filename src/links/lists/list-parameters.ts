import { sql } from 'kysely'
import { z } from 'zod'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { choice } from '../../validation/field-rules.ts'
import {
  idParameter,
  nameParameter,
  pageParameters,
  searchParameter,
  several,
  timeParameter,
  wellFormedText,
} from '../../validation/query-parameters.ts'
import { LINK_STATUSES } from '../link-status.ts'
import type { Condition, LinkList } from './link-list.ts'
import { DIRECTIONS, LINK_SORTS, type LinkOrder, usualDirection } from './link-order.ts'
import { anyStatus, needsAttention } from './status-conditions.ts'

// The one definition of each parameter of lists of links: what is accepted and documented, the condition on links, and the option
// of the command line. Readers, types, the OpenAPI document and saved views derive from it.

const ARCHIVED = ['exclude', 'only', 'include'] as const
/** As many as a bulk change has. */
const LISTED_IDS_MAX = 100

type ListParameter<Schema extends z.ZodType> = {
  schema: Schema
  /** Of `tern link list`. Without a value, the option stands for `true`. */
  cli: { value?: string; meaning: string }
  /** What must hold of `links`, on both engines. Tags and folders have none: they are `labelGroups`. */
  where?: (value: NonNullable<z.output<Schema>>, list: LinkList) => readonly Condition[]
}

const parameter = <Schema extends z.ZodType>(definition: ListParameter<Schema>) => definition

export const LIST_PARAMETERS = {
  search: parameter({
    schema: searchParameter.meta({
      description:
        'Words of title, destination, codes and notes, whatever their case and order; all must be there. A short URL finds its link.',
      example: 'launch',
    }),
    cli: { value: 'text', meaning: 'Only links with these words in title, destination, codes or notes.' },
  }),
  id: parameter({
    schema: several(idParameter, LISTED_IDS_MAX).meta({
      description: `Only this link, by its ID. May be repeated up to ${LISTED_IDS_MAX} times: any of them.`,
    }),
    cli: { value: 'number', meaning: 'Only the link with this ID, or any of several.' },
    where: (ids) => [sql`links.id IN (${sql.join(ids)})`],
  }),
  external_id: parameter({
    schema: wellFormedText
      .optional()
      .meta({ description: 'Your own ID of a link, to find it by.', example: 'order-7' }),
    cli: { value: 'text', meaning: 'Only the link with this ID of yours.' },
    // By a list of ids, because SQLite would rather read all links by age than look for this one and sort it.
    where: (externalId, { db, workspaceId }) => [
      sql`links.id IN ${db
        .selectFrom('links')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('external_id', '=', externalId)}`,
    ],
  }),
  status: parameter({
    schema: several(choice(LINK_STATUSES)).meta({
      description:
        'Only links with this status: what a visitor would meet now. May be repeated: any of them.',
      example: ['expired'],
    }),
    cli: {
      value: 'status',
      meaning: 'active, disabled, scheduled, expired, limit_reached or blocked; any of them.',
    },
    where: (statuses, list) => [anyStatus(statuses, list)],
  }),
  needs_attention: parameter({
    schema: choice(['false', 'true'])
      .default('false')
      .transform((word) => word === 'true' || undefined)
      .meta({
        description:
          '`true`: only links that are blocked, and those that are on and not over but end within seven days, have used at least 90 % of `max_clicks`, or are on a domain that does not work.',
      }),
    cli: { meaning: 'Only links that are blocked, end soon or are about to reach their limit.' },
    where: (_, list) => [needsAttention(list)],
  }),
  tag: parameter({
    schema: several(nameParameter).meta({
      description: 'Only links with this tag, whatever its case. May be repeated: see `tag_mode`.',
      example: ['Winter 2026'],
    }),
    cli: { value: 'name', meaning: 'Only links with this tag, or any of several.' },
  }),
  tag_mode: parameter({
    schema: choice(['any', 'all'])
      .default('any')
      .meta({ description: 'Whether a link must have any of the tags, or all of them.' }),
    cli: { value: 'mode', meaning: 'all: only links with all of the tags.' },
  }),
  folder: parameter({
    schema: several(nameParameter).meta({
      description: 'Only links in this folder, whatever its case. May be repeated: any of them.',
    }),
    cli: { value: 'name', meaning: 'Only links in this folder, or any of several.' },
  }),
  domain: parameter({
    schema: several(nameParameter).meta({
      description:
        'Only links on this domain, by the host of their short URLs. May be repeated: any of them. A host that is not one of the workspace finds nothing.',
      example: ['go.example.com'],
    }),
    cli: { value: 'host', meaning: 'Only links on this domain, or any of several.' },
    where: (_, { domainIds }) => onDomains(domainIds),
  }),
  created_by: parameter({
    schema: several(idParameter).meta({
      description: 'Only links that this user created, by ID. May be repeated: any of them.',
    }),
    cli: { value: 'number', meaning: 'Only links that the user with this ID created, or any of several.' },
    where: (userIds) => [sql`links.created_by IN (${sql.join(userIds)})`],
  }),
  import_id: parameter({
    schema: several(idParameter).meta({
      description: 'Only links that this import created, by its ID. May be repeated: any of them.',
    }),
    cli: { value: 'number', meaning: 'Only links that the import with this ID created, or any of several.' },
    // By a list of ids, as external_id.
    where: (importIds, { db }) => [
      sql`links.id IN ${db.selectFrom('links').select('id').where('import_id', 'in', importIds)}`,
    ],
  }),
  created_from: parameter({
    schema: timeParameter.optional().meta({
      description: 'Only links created at this time or later. ISO 8601 with its zone.',
      example: '2026-11-01T00:00:00Z',
    }),
    cli: { value: 'time', meaning: 'Only links created then or later, in ISO 8601 with its zone.' },
    where: (fromUs) => [sql`links.created_at >= ${fromUs}`],
  }),
  created_to: parameter({
    schema: timeParameter.optional().meta({
      description: 'Only links created before this time. ISO 8601 with its zone.',
      example: '2026-12-01T00:00:00Z',
    }),
    cli: { value: 'time', meaning: 'Only links created before then.' },
    where: (toUs) => [sql`links.created_at < ${toUs}`],
  }),
  expires_before: parameter({
    schema: timeParameter.optional().meta({
      description:
        'Only links that end before this time, those that have ended among them. ISO 8601 with its zone.',
      example: '2026-12-01T00:00:00Z',
    }),
    cli: { value: 'time', meaning: 'Only links that end before then, or have ended.' },
    where: (beforeUs) => [sql`links.expires_at < ${beforeUs}`],
  }),
  archived: parameter({
    schema: choice(ARCHIVED)
      .default('exclude')
      .meta({ description: 'Whether archived links are left out, listed alone, or listed with the others.' }),
    cli: { value: 'mode', meaning: 'include: archived links too. only: nothing else.' },
    // Without archived links, leaving them out is no condition: the list is read as quickly as one of all links.
    where: (archived, { counts }) => {
      if (archived === 'only') return [sql`links.is_archived = 1`]
      return archived === 'include' || counts.archived === 0 ? [] : [sql`links.is_archived IS NULL`]
    },
  }),
  sort: parameter({
    schema: choice(LINK_SORTS).default('created_at').meta({
      description:
        'What the list is sorted by. Links that never had a click count as the least clicked, and those without a title come last.',
    }),
    cli: { value: 'field', meaning: 'created_at (default), clicks, title or last_clicked_at.' },
  }),
  order: parameter({
    schema: choice(DIRECTIONS)
      .optional()
      .meta({ description: 'By default, titles ascend and everything else descends.' }),
    cli: { value: 'order', meaning: 'asc or desc.' },
  }),
}

/** Says twice that the default domain is not meant, so that the index of links on other domains can answer. */
const onDomains = (ids: readonly number[]): Condition[] => [
  sql`links.domain_id IN (${sql.join(ids)})`,
  ...(ids.includes(DEFAULT_DOMAIN) ? [] : [sql<boolean>`links.domain_id > 0`]),
]

type Schemas = { [Name in keyof typeof LIST_PARAMETERS]: (typeof LIST_PARAMETERS)[Name]['schema'] }

const schemas = Object.fromEntries(
  Object.entries(LIST_PARAMETERS).map(([name, { schema }]) => [name, schema]),
) as Schemas

export const linkListParameters = z.object({ ...pageParameters.shape, ...schemas })
/** Of a file with all links of a list. */
export const linkExportParameters = linkListParameters.omit({
  page: true,
  per_page: true,
  sort: true,
  order: true,
})

type Parameters = z.output<typeof linkExportParameters>

/** What a list is narrowed to: a link is in it if all of them hold. An undefined one narrows nothing. */
export type LinkFilters = Pick<Parameters, 'archived'> & Partial<Omit<Parameters, 'search' | 'archived'>>

/** A page of a list, as its parameters say. */
export function linkPageOf({
  page,
  per_page: perPage,
  search,
  sort,
  order,
  ...filters
}: z.output<typeof linkListParameters>) {
  const linkOrder: LinkOrder = { sort, direction: order ?? usualDirection(sort) }
  return { page, perPage, search, filters, order: linkOrder }
}
