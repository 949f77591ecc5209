import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { invalid, type FieldErrors } from '../../errors/refusal.ts'
import { keyText, type LinkKey } from '../../links/link-key.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice, NOT_A_STRING } from '../../validation/field-rules.ts'
import { idParameter } from '../../validation/query-parameters.ts'
import { newLinkDomain, NO_SUCH_DOMAIN } from '../../links/place-links.ts'
import type { PlacingDeps } from '../../links/place-unusual.ts'
import { CONFLICT_CHOICES, conflictDomain } from '../import-fields.ts'
import { refuseOtherDomain } from '../move-conflicts.ts'
import { recordedLinks } from '../records/recorded-links.ts'
import { type CheckedItem, keyOfChecked } from './checked-item.ts'
import { findJob, jobConflict, lockJob } from './find-job.ts'
import { type ImportJob, isRunning, ITEM_CHOICES } from './import-job.ts'
import { cannotBe, findUsed } from './suggest-code.ts'

const ITEMS_MAX = 500

export const jobChoices = z.object({
  on_conflict: choice(CONFLICT_CHOICES).optional().meta({
    description: 'For every conflict that has no choice of its own.',
    example: 'keep',
  }),
  conflict_domain: conflictDomain,
  items: z
    .array(
      z.object({
        number: idParameter.meta({ description: 'Of the link, as the check numbers them.', example: 7 }),
        choice: choice(ITEM_CHOICES).nullable().meta({
          description:
            '`rename`: the link is imported under another code; `move`: on another domain, also one that is refused because of its code; null: as the others.',
          example: 'rename',
        }),
        new_code: z.string(NOT_A_STRING).nullish().meta({
          description: 'For `rename`; without it, the code that is suggested.',
          example: 'winter-2',
        }),
        new_domain: z.string(NOT_A_STRING).nullish().meta({
          description: 'For `move`: the host of a domain of the workspace.',
          example: null,
        }),
      }),
    )
    .max(ITEMS_MAX, `The :attribute may not have more than ${ITEMS_MAX} items.`)
    .optional()
    .meta({ description: 'Choices for conflicts one by one. Other conflicts keep theirs.' }),
})

type Choices = z.output<typeof jobChoices>
type ChosenItem = NonNullable<Choices['items']>[number]
type ChooseDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> } & Pick<PlacingDeps, 'domains'>

/** What is to become of conflicts. Nothing is renamed or moved unless it is chosen. */
export function chooseForConflicts(
  { db, clock, domains }: ChooseDeps,
  caller: Caller,
  { jobId, choices }: { jobId: number; choices: Choices },
): Promise<ImportJob> {
  return transact(db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (isRunning(job.state)) throw jobConflict('The import runs. Stop it first.')
    if (job.state === 'done') throw jobConflict('The import is done. Begin another one.')
    if (job.counts === undefined) throw jobConflict('Check the import first.')
    const { on_conflict, conflict_domain = null, items = [] } = choices
    if (on_conflict === 'move') refuseOtherDomain({ domains }, caller, conflict_domain ?? undefined)
    const keys = await chosenKeys(tx, jobId, items)
    await refuseKeys(tx, newKeys({ domains }, caller, { items, keys }))
    for (const { number, choice: chosen, new_code: code, new_domain: host } of items) {
      const row = tx.updateTable('import_items').where('job_id', '=', jobId).where('number', '=', number)
      const values = {
        choice: chosen,
        new_code: chosen === 'rename' ? (code ?? null) : null,
        new_domain: chosen === 'move' ? host! : null,
      }
      await row.set(values).execute()
    }
    const own = tx.updateTable('import_jobs').where('id', '=', jobId)
    // A group that was interrupted is imported again as it is chosen now.
    const recorded = job.importId === undefined ? {} : { recorded: await recordedLinks(tx, job.importId) }
    const forAll = on_conflict && { on_conflict, conflict_domain }
    await own.set({ changed_at: clock.nowUs(), ...recorded, ...forAll }).execute()
    return findJob({ db: tx }, caller, jobId)
  })
}

/** What the chosen links have in the source, by their numbers. Refuses what is no conflict, unless its code is all that is wrong. */
async function chosenKeys(
  tx: Tx,
  jobId: number,
  items: readonly ChosenItem[],
): Promise<Map<number, LinkKey>> {
  if (items.length === 0) return new Map()
  const rows = await tx
    .selectFrom('import_items')
    .select(['number', 'result', 'item'])
    .where('job_id', '=', jobId)
    .where('result', 'in', ['conflict', 'refused'])
    .where(
      'number',
      'in',
      items.map(({ number }) => number),
    )
    .execute()
  const movable = new Set(
    items.flatMap(({ number, choice: chosen }) => (isForRefused(chosen) ? [number] : [])),
  )
  const keys = new Map<number, LinkKey>()
  for (const { number, result, item } of rows) {
    const checked = JSON.parse(item) as CheckedItem
    if (result === 'conflict' || (movable.has(number) && isRefusedByCode(checked.errors)))
      keys.set(number, keyOfChecked(checked))
  }
  const errors = items.flatMap(({ number }, at) =>
    keys.has(number) ? [] : [[`items.${at}.number`, ['The link is no conflict of the import.']]],
  )
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  return keys
}

const isForRefused = (chosen: ChosenItem['choice']) => chosen === 'move' || chosen === null

const isRefusedByCode = (errors: CheckedItem['errors']): boolean =>
  Object.keys(errors).length === 1 && errors.custom_code !== undefined

type NewKey = { field: string; key: LinkKey; host?: string }

/** The keys that links are to have instead of their own. Refuses domains that the workspace cannot use. */
function newKeys(
  { domains }: Pick<PlacingDeps, 'domains'>,
  caller: Caller,
  { items, keys }: { items: readonly ChosenItem[]; keys: ReadonlyMap<number, LinkKey> },
): NewKey[] {
  return items.flatMap(({ number, choice: chosen, new_code: code, new_domain: host }, at): NewKey[] => {
    const own = keys.get(number)!
    if (chosen === 'rename' && code != null) return [{ field: `items.${at}.new_code`, key: { ...own, code } }]
    if (chosen !== 'move') return []
    const field = `items.${at}.new_domain`
    const domainId = host ? newLinkDomain(domains, caller, host) : undefined
    if (domainId === undefined) throw invalid({ [field]: [NO_SUCH_DOMAIN] })
    return [{ field, host: host!, key: { domainId, code: domains.codeOn(domainId, own.code) } }]
  })
}

async function refuseKeys(tx: Tx, named: readonly NewKey[]): Promise<void> {
  const usedKeys = await findUsed(
    { db: tx },
    named.map(({ key }) => key),
  )
  const errors: FieldErrors = {}
  for (const { field, key, host } of named) {
    const taken = host === undefined ? 'The new code is already taken.' : `The code is in use on ${host} too.`
    const fault = cannotBe(key) ?? (usedKeys.has(keyText(key)) ? taken : undefined)
    if (fault !== undefined) errors[field] = [fault.replace(':attribute', 'new code')]
    usedKeys.add(keyText(key))
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
