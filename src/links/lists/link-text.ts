import type { Selectable } from 'kysely'
import { foldSearch } from '../../store/fold-search.ts'
import { nextTurn } from '../../runtime/turns.ts'
import type { Tx } from '../../store/handles.ts'
import type { Database } from '../../store/schema.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { prepareForList } from '../../store/sqlite/prepare.ts'

/** Removed before others get a turn: the index of searches has all trigrams of each. */
const TEXTS_PER_TURN = 20

type LinkText = {
  linkId: number
  workspaceId: number
  title: string
  originalUrl: string
  /** The destination as redirects send it; null if it is the same. */
  targetUrl: string | null
  code: string
  aliases: readonly string[]
  notes: string | null
}

/** Each on a line of its own. */
function searchText({ title, originalUrl, targetUrl, code, aliases, notes }: LinkText): string {
  const normalized = targetUrl === null ? [] : [targetUrl]
  const lines = [title, originalUrl, ...normalized, code, ...aliases, ...(notes === null ? [] : [notes])]
  return foldSearch(lines.join('\n'))
}

type LinkRow = Pick<
  Selectable<Database['links']>,
  'id' | 'workspace_id' | 'title' | 'original_url' | 'target_url' | 'code' | 'notes'
>

/** All but the aliases, which the row does not have. */
export const textOf = (row: LinkRow): Omit<LinkText, 'aliases'> => ({
  linkId: row.id,
  workspaceId: row.workspace_id,
  title: row.title,
  originalUrl: row.original_url,
  targetUrl: row.target_url,
  code: row.code,
  notes: row.notes,
})

/** Makes the links findable, or findable by their new texts; in the transaction that writes them. */
export async function writeLinkTexts(tx: Tx, links: readonly LinkText[]): Promise<void> {
  await writeRows(tx, LINK_TEXTS, links.map(linkTextRow))
}

export const linkTextRow = (link: LinkText): (string | number)[] => [
  link.linkId,
  link.workspaceId,
  searchText(link),
]

export const LINK_TEXTS: RowInsert = {
  table: 'link_texts',
  columns: ['link_id', 'workspace_id', 'text'],
  texts: ['text'],
  then: 'ON CONFLICT (link_id) DO UPDATE SET text = excluded.text',
}

export async function removeLinkTexts(tx: Tx, linkIds: readonly number[]): Promise<void> {
  for (let from = 0; from < linkIds.length; from += TEXTS_PER_TURN) {
    if (from > 0) await nextTurn()
    await removeTexts(tx, {}, linkIds.slice(from, from + TEXTS_PER_TURN))
  }
}

const removeTexts = prepareForList((tx: Tx, _, linkIds: readonly number[]) =>
  tx.deleteFrom('link_texts').where('link_id', 'in', linkIds),
)
