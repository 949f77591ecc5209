import { type DeletedClicks, deleteLinkClicks } from '../../../src/clicks/deletion/delete-link-clicks.ts'
import { linkClicksQuery, type LinkOfWorkspace } from '../../../src/clicks/deletion/link-counters.ts'
import type { ClickQueries } from '../../../src/clicks/queries/click-queries.ts'
import type { DurableDb } from '../../../src/store/handles.ts'
import { transact } from '../../../src/store/transact.ts'

type Deletion = { db: DurableDb; queries: ClickQueries; link: LinkOfWorkspace }

/** As the API does, without a link. */
export async function deleteClicksOf({ db, queries, link }: Deletion): Promise<DeletedClicks> {
  for (;;) {
    const moved = await queries.answerMoved(db, linkClicksQuery(link))
    const deleted = await transact(db, (tx) => deleteLinkClicks(tx, link, moved))
    if (deleted !== undefined) return deleted
  }
}
