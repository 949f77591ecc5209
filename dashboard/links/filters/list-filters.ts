import { type ListQuery, NO_FILTERS } from '../list/list-query.ts'
import { FolderPill, StatusPill, TagPill } from './counted-pills.tsx'
import { CreatorPill } from './creator-pill.tsx'
import { ArchivedPill, AttentionPill, CreatedPill, DomainPill, EndsPill } from './list-pickers.tsx'

/** In the order in which they stand. */
export const LIST_FILTERS = [
  { id: 'status', Pill: StatusPill, fields: ['statuses'] },
  { id: 'tag', Pill: TagPill, fields: ['tags', 'tagMode'] },
  { id: 'folder', Pill: FolderPill, fields: ['folders'] },
  { id: 'domain', Pill: DomainPill, fields: ['domains'] },
  { id: 'creator', Pill: CreatorPill, fields: ['creators'] },
  { id: 'created', Pill: CreatedPill, fields: ['createdFrom', 'createdTo'] },
  { id: 'ends', Pill: EndsPill, fields: ['endsInDays'] },
  { id: 'attention', Pill: AttentionPill, fields: ['needsAttention'] },
  { id: 'archived', Pill: ArchivedPill, fields: ['archived'] },
] as const

type ListFilter = (typeof LIST_FILTERS)[number]

const isSet = (query: ListQuery, { fields: [field] }: ListFilter) =>
  String(query[field]) !== String(NO_FILTERS[field])

export const setFilters = (query: ListQuery): ListFilter[] =>
  LIST_FILTERS.filter((filter) => isSet(query, filter) || (filter.id === 'created' && query.createdTo !== ''))

/** What removes the last filter that is set; undefined if none is. */
export function withoutLastFilter(query: ListQuery): Partial<ListQuery> | undefined {
  const last = setFilters(query).at(-1)
  return last && Object.fromEntries(last.fields.map((field) => [field, NO_FILTERS[field]]))
}
