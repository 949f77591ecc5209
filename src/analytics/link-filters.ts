import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../errors/refusal.ts'
import type { Domains } from '../links/domains/domains.ts'
import { foldText, type LabelKind } from '../links/labels/label.ts'
import { type UtmName, utmOf } from '../links/utm-parameters.ts'
import { contains } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { nameParameter } from '../validation/query-parameters.ts'
import { negatableParameter, type NegatableValues } from './negatable-parameter.ts'

// Which clicks a report is about, by what their links are now.

/** Their ids are part of each statement about clicks. */
const LINKS_MAX = 50_000
const LINKS_AT_ONCE = 2_000

type Workspace = { db: ReadOnlyDb; domains: Pick<Domains, 'idsFor'>; workspaceId: number }

/** What must hold of a row of `links`, and of its destination, where SQL only says which ones may pass. */
type LinkCondition = { where: RawBuilder<boolean>; passes?: (destination: string) => boolean }

type LinkFilter = {
  description: string
  example: string
  condition(values: readonly string[], workspace: Workspace): LinkCondition
}

const hasLabel =
  (kind: LabelKind): LinkFilter['condition'] =>
  (names, { workspaceId }) => ({
    where: sql`links.id IN (SELECT link_id FROM link_labels JOIN labels ON labels.id = label_id
      WHERE workspace_id = ${workspaceId} AND kind = ${sql.lit(kind)} AND folded_name IN (${sql.join(names.map(foldText))}))`,
  })

const hasUtm = (name: UtmName): LinkFilter => ({
  description: `Links whose destination has this \`utm_${name}\`.`,
  example: EXAMPLES[name],
  condition: (values, { db }) => ({
    where: mayHaveUtm(db, name, values),
    passes: (destination) => values.includes(utmOf(destination)?.[name] ?? ''),
  }),
})

const EXAMPLES: Record<UtmName, string> = {
  source: 'newsletter',
  medium: 'email',
  campaign: 'spring-sale',
  term: 'shoes',
  content: 'top-banner',
}

/** The start of a value that is the same in every spelling. Underscores may be percent-encoded. */
function mayHaveUtm(db: ReadOnlyDb, name: UtmName, values: readonly string[]): RawBuilder<boolean> {
  const parts = values.map((value) => `utm_${name}=${/^[\w.-]*/.exec(value)![0]}`)
  const conditions = parts.map((part) => contains(db, sql.ref('original_url'), part))
  const isSpelledOtherwise = contains(db, sql`lower(original_url)`, 'utm%5f')
  return sql`(${sql.join([...conditions, isSpelledOtherwise], sql` OR `)})`
}

const LINK_FILTERS = {
  tag: {
    description: 'Links with this tag, whatever its case.',
    example: 'Winter 2026',
    condition: hasLabel('tag'),
  },
  folder: {
    description: 'Links in this folder, whatever its case.',
    example: 'Campaigns',
    condition: hasLabel('folder'),
  },
  domain: {
    description: 'Links on this domain, by the host of their short URLs.',
    example: 'go.example.com',
    condition: (hosts, { domains, workspaceId }) => {
      const ids = hosts.flatMap((host) => domains.idsFor(workspaceId, host))
      return { where: ids.length === 0 ? sql`FALSE` : sql`links.domain_id IN (${sql.join(ids)})` }
    },
  },
  short_code: {
    description: 'The link that this code opens.',
    example: 'launch',
    condition: (codes, { workspaceId }) => ({
      where: sql`links.id IN (SELECT link_id FROM codes WHERE workspace_id = ${workspaceId} AND code IN (${sql.join(codes)}))`,
    }),
  },
  utm_source: hasUtm('source'),
  utm_medium: hasUtm('medium'),
  utm_campaign: hasUtm('campaign'),
  utm_term: hasUtm('term'),
  utm_content: hasUtm('content'),
} satisfies Record<string, LinkFilter>

type Name = keyof typeof LINK_FILTERS
export const LINK_FILTER_NAMES = Object.keys(LINK_FILTERS) as Name[]

export const linkFilterParameters = z.object(
  Object.fromEntries(LINK_FILTER_NAMES.map((name) => [name, parameterOf(name)])) as Record<
    Name,
    ReturnType<typeof parameterOf>
  >,
)

function parameterOf(name: Name) {
  return negatableParameter({ ...LINK_FILTERS[name], value: nameParameter })
}

/** Either only some links, or all but some. */
export type LinkSet = { linkIds: readonly number[] } | { exceptLinkIds: readonly number[] }

/** The links that pass all filters; undefined if none was sent. */
export async function readLinkFilters(
  parameters: Partial<z.output<typeof linkFilterParameters>>,
  workspace: Workspace,
): Promise<LinkSet | undefined> {
  const sent = LINK_FILTER_NAMES.flatMap((name) => {
    const filter = parameters[name]
    return filter === undefined ? [] : [{ ...filter, name }]
  })
  const conditionOf = ({ name, values }: NegatableValues & { name: Name }) =>
    LINK_FILTERS[name].condition(values, workspace)
  const wanted = sent.filter(({ isNegated }) => !isNegated).map(conditionOf)
  const unwanted = sent.filter(({ isNegated }) => isNegated).map(conditionOf)
  if (wanted.length > 0) return { linkIds: await idsOf(workspace, [...wanted, ...unwanted.map(negated)]) }
  if (unwanted.length === 0) return undefined
  const idsByFilter = await Promise.all(unwanted.map((condition) => idsOf(workspace, [condition])))
  return { exceptLinkIds: [...new Set(idsByFilter.flat())] }
}

const negated = ({ where, passes }: LinkCondition): LinkCondition =>
  passes === undefined
    ? { where: sql`NOT ${where}` }
    : { where: sql`TRUE`, passes: (destination) => !passes(destination) }

async function idsOf(workspace: Workspace, conditions: readonly LinkCondition[]): Promise<number[]> {
  const ids: number[] = []
  for (let after = 0; ;) {
    const rows = await linksAfter(workspace, conditions, after)
    for (const { id, destination } of rows)
      if (conditions.every(({ passes = () => true }) => passes(destination))) ids.push(id)
    if (ids.length > LINKS_MAX) throw tooManyLinks()
    if (rows.length < LINKS_AT_ONCE) return ids
    after = rows.at(-1)!.id
  }
}

/** Few at a time: a destination may have some kilobytes, and reading its parameters takes some microseconds. */
function linksAfter(
  { db, workspaceId }: Workspace,
  conditions: readonly LinkCondition[],
  after: number,
): Promise<{ id: number; destination: string }[]> {
  const isRead = conditions.some(({ passes }) => passes !== undefined)
  const where = conditions.map((condition) => condition.where)
  return db
    .selectFrom('links')
    .select(['links.id', isRead ? 'original_url as destination' : sql<string>`''`.as('destination')])
    .where('links.workspace_id', '=', workspaceId)
    .where('links.id', '>', after)
    .where(sql<boolean>`${sql.join(where, sql` AND `)}`)
    .orderBy('links.id')
    .limit(LINKS_AT_ONCE)
    .execute()
}

const tooManyLinks = () =>
  invalid({ filter: [`The filters select more than ${LINKS_MAX} links. Add one that selects fewer.`] })
