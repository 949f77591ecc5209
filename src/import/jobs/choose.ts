import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { invalid, type FieldErrors } from '../../errors/refusal.ts'
import { keyText } from '../../links/link-key.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice, NOT_A_STRING } from '../../validation/field-rules.ts'
import { idParameter } from '../../validation/query-parameters.ts'
import { CONFLICT_CHOICES } from '../import-fields.ts'
import { recordedLinks } from '../records/recorded-links.ts'
import type { CheckedItem } from './checked-item.ts'
import { findJob, jobConflict, lockJob } from './find-job.ts'
import { type ImportJob, isRunning, ITEM_CHOICES } from './import-job.ts'
import { cannotBe, findUsed } from './suggest-code.ts'

const ITEMS_MAX = 500

export const jobChoices = z.object({
  on_conflict: choice(CONFLICT_CHOICES).optional().meta({
    description: 'For every conflict that has no choice of its own.',
    example: 'keep',
  }),
  items: z
    .array(
      z.object({
        number: idParameter.meta({ description: 'Of the link, as the check numbers them.', example: 7 }),
        choice: choice(ITEM_CHOICES).nullable().meta({
          description: '`rename`: the link is imported under another code; null: as the others.',
          example: 'rename',
        }),
        new_code: z.string(NOT_A_STRING).nullish().meta({
          description: 'For `rename`; without it, the code that is suggested.',
          example: 'winter-2',
        }),
      }),
    )
    .max(ITEMS_MAX, `The :attribute may not have more than ${ITEMS_MAX} items.`)
    .optional()
    .meta({ description: 'Choices for conflicts one by one. Other conflicts keep theirs.' }),
})

type Choices = z.output<typeof jobChoices>
type ChosenItem = NonNullable<Choices['items']>[number]
type ChooseDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** What is to become of conflicts. Nothing is renamed unless it is chosen for that link. */
export function chooseForConflicts(
  { db, clock }: ChooseDeps,
  caller: Caller,
  { jobId, choices }: { jobId: number; choices: Choices },
): Promise<ImportJob> {
  return transact(db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (isRunning(job.state)) throw jobConflict('The import runs. Stop it first.')
    if (job.state === 'done') throw jobConflict('The import is done. Begin another one.')
    if (job.counts === undefined) throw jobConflict('Check the import first.')
    const { on_conflict, items = [] } = choices
    const keys = await conflictsOf(tx, jobId, items)
    await refuseCodes(tx, items, keys)
    for (const { number, choice: chosen, new_code: code } of items) {
      const row = tx.updateTable('import_items').where('job_id', '=', jobId).where('number', '=', number)
      await row.set({ choice: chosen, new_code: chosen === 'rename' ? (code ?? null) : null }).execute()
    }
    const own = tx.updateTable('import_jobs').where('id', '=', jobId)
    // A group that was interrupted is imported again as it is chosen now.
    const recorded = job.importId === undefined ? {} : { recorded: await recordedLinks(tx, job.importId) }
    await own.set({ changed_at: clock.nowUs(), ...recorded, ...(on_conflict && { on_conflict }) }).execute()
    return findJob({ db: tx }, caller, jobId)
  })
}

/** The domains of the chosen conflicts, by their numbers. Refuses others. */
async function conflictsOf(
  tx: Tx,
  jobId: number,
  items: readonly ChosenItem[],
): Promise<Map<number, number>> {
  if (items.length === 0) return new Map()
  const rows = await tx
    .selectFrom('import_items')
    .select(['number', 'item'])
    .where('job_id', '=', jobId)
    .where('result', '=', 'conflict')
    .where(
      'number',
      'in',
      items.map(({ number }) => number),
    )
    .execute()
  const domains = new Map(
    rows.map(({ number, item }) => [number, (JSON.parse(item) as CheckedItem).domainId ?? 0]),
  )
  const errors = items.flatMap(({ number }, at) =>
    domains.has(number) ? [] : [[`items.${at}.number`, ['The link is no conflict of the import.']]],
  )
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  return domains
}

async function refuseCodes(
  tx: Tx,
  items: readonly ChosenItem[],
  domains: Map<number, number>,
): Promise<void> {
  const named = items.flatMap(({ number, choice: chosen, new_code: code }, at) =>
    chosen === 'rename' && code != null ? [{ at, code, domainId: domains.get(number)! }] : [],
  )
  const usedKeys = await findUsed({ db: tx }, named)
  const errors: FieldErrors = {}
  for (const { at, ...key } of named) {
    const fault =
      cannotBe(key) ?? (usedKeys.has(keyText(key)) ? 'The :attribute is already taken.' : undefined)
    if (fault !== undefined) errors[`items.${at}.new_code`] = [fault.replace(':attribute', 'new code')]
    usedKeys.add(keyText(key))
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
