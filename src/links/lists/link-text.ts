import type { Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'

/** What a search looks in; the search itself is folded the same way. */
export const foldText = (text: string): string => text.toLowerCase()

type LinkText = {
  linkId: number
  workspaceId: number
  title: string
  originalUrl: string
  code: string
  aliases: readonly string[]
  notes: string | null
}

const searchText = ({ title, originalUrl, code, aliases, notes }: LinkText) =>
  foldText([title, originalUrl, code, ...aliases, ...(notes === null ? [] : [notes])].join('\n'))

/** Makes the links findable, or findable by their new texts; in the transaction that writes them. */
export async function writeLinkTexts(tx: Tx, links: readonly LinkText[]): Promise<void> {
  await writeRows(
    tx,
    LINK_TEXTS,
    links.map((link) => [link.linkId, link.workspaceId, searchText(link)]),
  )
}

const LINK_TEXTS: RowInsert = {
  table: 'link_texts',
  columns: ['link_id', 'account_id', 'text'],
  texts: ['text'],
  then: 'ON CONFLICT (link_id) DO UPDATE SET text = excluded.text',
}

export async function removeLinkText(tx: Tx, linkId: number): Promise<void> {
  await tx.deleteFrom('link_texts').where('link_id', '=', linkId).execute()
}
