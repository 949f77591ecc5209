import { foldCode } from '../codes/fold-code.ts'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { LinkSet } from '../clicks/queries/click-query.ts'
import { invalid } from '../errors/refusal.ts'
import { DESTINATION_LENGTH_MAX } from '../links/destinations/destination.ts'
import type { Domains } from '../links/domains/domains.ts'
import { foldText, type LabelKind } from '../links/labels/label.ts'
import { UTM_NAMES, type UtmName, utmOf } from '../links/utm-parameters.ts'
import { contains } from '../store/engine-sql.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { nameParameter, textParameter } from '../validation/query-parameters.ts'
import { negatableParameter, type NegatableValues } from './negatable-parameter.ts'
import type { UtmFilters } from './utm-filters.ts'

// Which clicks a report is about, by what their links are now.

/** Their ids are part of each statement about clicks. */
const LINKS_MAX = 50_000
const LINKS_AT_ONCE = 2_000

type Workspace = {
  db: ReadOnlyDb
  domains: Pick<Domains, 'idsFor'>
  workspaceId: number
  /** Only this one of its links. */
  linkId?: number
}

/** What must hold of a row of `links`, and of its destination, where SQL only says which ones may pass. */
type LinkCondition = { where: RawBuilder<boolean>; passes?: (destination: string) => boolean }

type LinkFilter = {
  description: string
  example: string
  /** Of one value. */
  value: z.ZodType<string>
  condition(values: readonly string[], workspace: Workspace): LinkCondition
}

const hasLabel =
  (kind: LabelKind): LinkFilter['condition'] =>
  (names, { workspaceId }) => ({
    where: sql`links.id IN (SELECT link_id FROM link_labels JOIN labels ON labels.id = label_id
      WHERE workspace_id = ${workspaceId} AND kind = ${sql.lit(kind)} AND folded_name IN (${sql.join(names.map(foldText))}))`,
  })

const hasUtm = (name: UtmName): LinkFilter => ({
  description: `Clicks with this \`utm_${name}\`: of those with which the short URL was opened, where there were some and the workspace counts them (\`count_visitor_utm\`), otherwise of those in the link's destination as it is now.`,
  example: EXAMPLES[name],
  value: utmParameter,
  condition: (values, { db }) => ({
    where: mayHaveUtm(db, name, values),
    passes: (destination) => values.includes(utmOf(destination)?.[name] ?? ''),
  }),
})

/** What a destination has, can be filtered by. */
const utmParameter = textParameter(DESTINATION_LENGTH_MAX)

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
    value: nameParameter,
    condition: hasLabel('tag'),
  },
  folder: {
    description: 'Links in this folder, whatever its case.',
    example: 'Campaigns',
    value: nameParameter,
    condition: hasLabel('folder'),
  },
  domain: {
    description: 'Links on this domain, by the host of their short URLs.',
    example: 'go.example.com',
    value: nameParameter,
    condition: (hosts, { domains, workspaceId }) => {
      const ids = hosts.flatMap((host) => domains.idsFor(workspaceId, host))
      return { where: ids.length === 0 ? sql`FALSE` : sql`links.domain_id IN (${sql.join(ids)})` }
    },
  },
  short_code: {
    description: 'The link that this code opens.',
    example: 'launch',
    value: nameParameter,
    condition: (codes, { workspaceId }) => ({
      where: sql`links.id IN (SELECT link_id FROM codes WHERE workspace_id = ${workspaceId}
        AND (code IN (${sql.join(codes)}) OR code IN (${sql.join(codes.map(foldCode))})
          AND domain_id IN (SELECT id FROM domains WHERE case_insensitive = 1)))`,
    }),
  },
  utm_source: hasUtm('source'),
  utm_medium: hasUtm('medium'),
  utm_campaign: hasUtm('campaign'),
  utm_term: hasUtm('term'),
  utm_content: hasUtm('content'),
} satisfies Record<string, LinkFilter>

type Name = keyof typeof LINK_FILTERS
const LINK_FILTER_NAMES = Object.keys(LINK_FILTERS) as Name[]

export const linkFilterParameters = z.object(
  Object.fromEntries(LINK_FILTER_NAMES.map((name) => [name, parameterOf(name)])) as Record<
    Name,
    ReturnType<typeof parameterOf>
  >,
)

/** Of these, what a single link may be filtered by. */
export const utmFilterParameters = linkFilterParameters.pick({
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_term: true,
  utm_content: true,
})

function parameterOf(name: Name) {
  return negatableParameter(LINK_FILTERS[name])
}

type Parameters = Partial<z.output<typeof linkFilterParameters>>
type SentFilter = NegatableValues & { name: Name }

/** The links that pass the filters by what links are; undefined if none was sent. */
export const readLinkFilters = (parameters: Parameters, workspace: Workspace): Promise<LinkSet | undefined> =>
  linksThatPass(
    sentFilters(
      parameters,
      LINK_FILTER_NAMES.filter((name) => !name.startsWith('utm_')),
    ),
    workspace,
  )

/** Those by UTM parameters, which a click may have of its own; undefined if none was sent. */
export async function readUtmFilters(
  parameters: Parameters,
  workspace: Workspace,
): Promise<UtmFilters | undefined> {
  const filters = UTM_NAMES.flatMap((name) => {
    const filter = parameters[`utm_${name}`]
    return filter === undefined ? [] : [{ ...filter, name }]
  })
  if (filters.length === 0) return undefined
  // All filters of links narrow these, so that there are fewer of them.
  const links = await linksThatPass(sentFilters(parameters, LINK_FILTER_NAMES), workspace)
  return { filters, links: links! }
}

const sentFilters = (parameters: Parameters, names: readonly Name[]): SentFilter[] =>
  names.flatMap((name) => {
    const filter = parameters[name]
    return filter === undefined ? [] : [{ ...filter, name }]
  })

/** The links that pass all of them; undefined if there is none. */
async function linksThatPass(
  sent: readonly SentFilter[],
  workspace: Workspace,
): Promise<LinkSet | undefined> {
  const conditionOf = ({ name, values }: SentFilter) => LINK_FILTERS[name].condition(values, workspace)
  const conditions = sent.filter(({ isNegated }) => !isNegated).map(conditionOf)
  const negatedConditions = sent.filter(({ isNegated }) => isNegated).map(conditionOf)
  if (conditions.length > 0)
    return { linkIds: await idsOf(workspace, [...conditions, ...negatedConditions.map(negated)]) }
  if (negatedConditions.length === 0) return undefined
  const idsByFilter = await Promise.all(negatedConditions.map((condition) => idsOf(workspace, [condition])))
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
  { db, workspaceId, linkId }: Workspace,
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
    .$if(linkId !== undefined, (query) => query.where('links.id', '=', linkId!))
    .where(sql<boolean>`${sql.join(where, sql` AND `)}`)
    .orderBy('links.id')
    .limit(LINKS_AT_ONCE)
    .execute()
}

const tooManyLinks = () =>
  invalid({ filter: [`The filters select more than ${LINKS_MAX} links. Add one that selects fewer.`] })
