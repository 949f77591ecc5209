import { keyText } from '../../links/link-key.ts'
import type { CurrentDb, ReadOnlyDb } from '../../store/handles.ts'
import { type Page, readPage } from '../../store/page-of-rows.ts'
import type { CheckedItem, CheckResult } from './checked-item.ts'
import type { ImportJob, ItemChoice } from './import-job.ts'
import { suggestCodes } from './suggest-code.ts'

export type JobItem = CheckedItem & {
  number: number
  result: CheckResult
  choice: ItemChoice | null
  newCode: string | null
  newDomain: string | null
  suggestedCode: string | null
}

type ListDeps = { db: ReadOnlyDb; readDb: CurrentDb }

/** A page of what a check has found, in the order of the source, and how many there are in all. */
export async function listItems(
  { db, readDb }: ListDeps,
  { id }: ImportJob,
  { result, ...page }: Page & { result?: CheckResult | undefined },
): Promise<{ items: JobItem[]; total: number }> {
  const all = db.selectFrom('import_items').selectAll().where('job_id', '=', id)
  const some = result === undefined ? all : all.where('result', '=', result)
  const { rows, total } = await readPage(some.orderBy('number'), page)
  const items = rows.map((row) => ({
    ...(JSON.parse(row.item) as CheckedItem),
    number: row.number,
    result: row.result as CheckResult,
    choice: row.choice as ItemChoice | null,
    newCode: row.new_code,
    newDomain: row.new_domain,
  }))
  const taken = items.flatMap((item) => (item.result === 'conflict' ? keyOf(item) : []))
  const suggestions = await suggestCodes({ db: readDb }, taken)
  const suggestionFor = (item: CheckedItem) =>
    keyOf(item).map((key) => suggestions.get(keyText(key)))[0] ?? null
  return { items: items.map((item) => ({ ...item, suggestedCode: suggestionFor(item) })), total }
}

const keyOf = ({ domainId, code }: CheckedItem) => (domainId === null ? [] : [{ domainId, code }])

/** Read in a statement. */
const ROWS_PER_STATEMENT = 500

/** All refused links that are kept, in the order of the source. */
export async function* refusedItems(
  { db }: { db: ReadOnlyDb },
  { id }: ImportJob,
): AsyncGenerator<(CheckedItem & { number: number })[], void> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('import_items')
      .select(['number', 'item'])
      .where('job_id', '=', id)
      .where('result', '=', 'refused')
      .where('number', '>', after)
      .orderBy('number')
      .limit(ROWS_PER_STATEMENT)
      .execute()
    if (rows.length > 0)
      yield rows.map(({ number, item }) => ({ ...(JSON.parse(item) as CheckedItem), number }))
    if (rows.length < ROWS_PER_STATEMENT) return
    after = rows.at(-1)!.number
  }
}
