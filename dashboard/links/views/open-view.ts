import { listStrings } from '../list/list-strings.ts'
import { strings } from '../../strings.ts'
import { type ListQuery, PLAIN, readListQuery, writeView } from '../list/list-query.ts'
import type { SavedView } from './view-queries.ts'

/** A tab beside all links. `saved`: what somebody saved; the others are built in. */
export type ListView = { id: string; name: string; query: string; saved?: SavedView }

const EXPIRING_SOON: ListView = {
  id: 'expiring',
  name: strings.links.expiringSoon,
  query: 'status=active&status=scheduled&ends_in_days=14',
}

export const NEEDS_ATTENTION: ListView = {
  id: 'attention',
  name: listStrings.needsAttention,
  query: 'needs_attention=true',
}

/** Whether the view is hidden while no link is in it. */
export const isHiddenEmpty = (view: ListView): boolean => view === NEEDS_ATTENTION

// The last one appears when it is known that there are such links, and must not move the others then.
export const viewsWith = (saved: readonly SavedView[] = []): ListView[] => [
  EXPIRING_SOON,
  ...saved.map((each) => ({ id: String(each.id), name: each.name, query: each.query, saved: each })),
  NEEDS_ATTENTION,
]

/** The line has room for this many tabs with readable names. */
const IN_LINE_MAX = 4

/** Those that stand in the line, and those that a menu has. The open one is always in the line. */
export function inLineAndMenu<Each extends { view: ListView }>(
  shown: readonly Each[],
  opened: ListView | undefined,
): [line: Each[], menu: Each[]] {
  const first = shown.slice(0, IN_LINE_MAX)
  const open = shown.find(({ view }) => view === opened)
  if (open !== undefined && !first.includes(open)) first[IN_LINE_MAX - 1] = open
  return [first, shown.filter((each) => !first.includes(each))]
}

/** The list as a view keeps it. */
export const queryOf = ({ id, query }: { id: string | number; query: string }): ListQuery => ({
  ...readListQuery(new URLSearchParams(query)),
  page: PLAIN.page,
  view: String(id),
})

/** Whether the list is another one than the open view keeps. Undefined: all links. */
export const isChanged = (query: ListQuery, opened: ListView | undefined): boolean =>
  String(writeView(query)) !== String(writeView(opened === undefined ? PLAIN : queryOf(opened)))
