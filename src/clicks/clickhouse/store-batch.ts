import { type ClickHouse, linesOf } from './clickhouse.ts'
import { INSERTED_COLUMNS, valuesOf } from './click-table.ts'

/** Each attempt that was given up has used up one token at most. */
const TOKENS_MAX = 100

type Batch = {
  number: number
  facts: readonly Readonly<Record<string, number | string>>[]
  /** Rejects if another caller may have begun to store the same batch. */
  isStillOurs(): Promise<unknown>
}

/**
 * Writes a batch, whose facts are of one month: when it resolves, ClickHouse has exactly these of it on its disk, and nothing of later
 * batches. Earlier attempts may have written something, and may still do so when their process or their connection is gone.
 *
 * All attempts use the same tokens in the same order. So once an insert was answered, its token is used up, and those of all before it:
 * no earlier attempt can insert any more, and reading back says for good what is there. That is not always what was
 * acknowledged: a server that dies may remember a token without its rows.
 */
export async function storeBatch(
  clickHouse: ClickHouse,
  { number, facts, isStillOurs }: Batch,
): Promise<void> {
  const attempt = crypto.randomUUID()
  const lines = linesOf(facts.map((fact) => valuesOf(fact, { batch: number, attempt })))
  for (let token = 1; token <= TOKENS_MAX; token++) {
    await clickHouse.insert(`clicks (${INSERTED_COLUMNS})`, lines, `${number}:${token}`)
    const attempts = await clickHouse.rows<[attempt: string, rows: number]>(
      'SELECT attempt, count() FROM clicks WHERE batch >= {number:UInt64} GROUP BY attempt',
      { values: { number } },
    )
    if (Bun.deepEquals(attempts, [[attempt, facts.length]])) return
    await isStillOurs()
    // Only those that were there when the batch was still ours: never of an attempt that came after this one.
    const others = attempts.map(([id]) => `'${id}'`)
    if (others.length > 0) await deleteClicks(clickHouse, `batch >= ${number} AND attempt IN (${others})`)
  }
  throw new Error(`Batch ${number} is not in ClickHouse after ${TOKENS_MAX} inserts.`)
}

const DELETION_MS_MAX = 300_000

/** Waits until they are gone. */
export const deleteClicks = (clickHouse: ClickHouse, condition: string): Promise<void> =>
  clickHouse.run(`ALTER TABLE clicks DELETE WHERE ${condition} SETTINGS mutations_sync = 1`, DELETION_MS_MAX)
