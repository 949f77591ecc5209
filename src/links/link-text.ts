import type { Db } from '../store/open-store.ts'

/** What a search looks in; the search itself is folded the same way. */
export const foldText = (text: string): string => text.toLowerCase()

const searchText = (title: string, originalUrl: string) => foldText(`${title}\n${originalUrl}`)

type LinkText = { linkId: number; accountId: number; title: string; originalUrl: string }

/** Makes the links findable, or findable by their new texts; in the transaction that writes them. */
export async function writeLinkTexts(tx: Db, links: readonly LinkText[]): Promise<void> {
  await tx
    .insertInto('link_texts')
    .values(
      links.map(({ linkId, accountId, title, originalUrl }) => ({
        link_id: linkId,
        account_id: accountId,
        text: searchText(title, originalUrl),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet((eb) => ({ text: eb.ref('excluded.text') })),
    )
    .execute()
}

export async function removeLinkText(tx: Db, linkId: number): Promise<void> {
  await tx.deleteFrom('link_texts').where('link_id', '=', linkId).execute()
}
