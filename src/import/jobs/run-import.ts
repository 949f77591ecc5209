import type { Insertable } from 'kysely'
import { keyText, type LinkKey } from '../../links/link-key.ts'
import { nextTurn } from '../../runtime/turns.ts'
import type { ImportItemTable } from '../../store/import-job-schema.ts'
import { FirstUses } from '../../store/sqlite/first-uses.ts'
import { type ImportEntry, importEntry, usedCode } from '../import-entry.ts'
import type { ImportOutcome, ImportRequest } from '../imported-items.ts'
import { recordedLinks } from '../records/recorded-links.ts'
import { endImport } from '../records/end-import.ts'
import type { SourceItem } from '../source.ts'
import { checkedItem, type CheckedItem, itemRow, KEPT_MAX, keyOfChecked } from './checked-item.ts'
import { callerOf, type ItemChoice, linkChoicesOf } from './import-job.ts'
import { importSome } from './import-some.ts'
import { type JobRun, savePosition, saveRunIn } from './job-run.ts'
import { removeRows } from './remove-jobs.ts'
import { storedGroups } from './stored-groups.ts'
import { suggestCodes } from './suggest-code.ts'

/**
 * `recordedAhead`: links that an interrupted attempt has imported behind the position. `refusedLater`: links that the check had accepted, and
 * that are kept with their sentences.
 */
type Importing = {
  run: JobRun
  usedCodes: FirstUses
  nowUs: number
  recordedAhead: number
  refusedLater: number
}

/** Imports what was checked, from where the job was left. */
export async function runImport(run: JobRun): Promise<void> {
  const { deps, job } = run
  const importing: Importing = {
    run,
    usedCodes: new FirstUses(),
    nowUs: deps.clock.nowUs(),
    recordedAhead: (await recordedLinks(deps.db, job.importId!)) - job.recorded,
    refusedLater: 0,
  }
  try {
    // First all codes, so that no link gets a code under which another one follows.
    for await (const { links } of storedGroups(run)) {
      entriesOf(importing, links)
      await nextTurn()
    }
    for await (const group of storedGroups(run)) await importGroup(importing, group)
  } finally {
    importing.usedCodes.close()
  }
  await endImport(deps, callerOf(job), job.importId!)
  const ended = { changed_at: deps.clock.nowUs(), message: null, waiting_until: null }
  await saveRunIn(deps.db, run, { state: 'done', ...ended })
  await removeRows(deps.db, 'import_parts', job.id)
  await removeRows(deps.db, 'import_groups', job.id)
}

function entriesOf({ run, usedCodes, nowUs }: Importing, links: string): ImportEntry[] {
  const options = { usedCodes, nowUs, ...linkChoicesOf(run.job) }
  const items = JSON.parse(links) as SourceItem[]
  return items.map((item) => importEntry(options, item))
}

type Sent = { number: number; entry: Extract<ImportEntry, { fields: object }> }

async function importGroup(
  importing: Importing,
  { first, links }: { first: number; links: string },
): Promise<void> {
  const { run } = importing
  const { job } = run
  const entries = entriesOf(importing, links)
  const position = first - 1 + entries.length
  if (position <= job.position) return
  const sent = entries.flatMap((entry, at): Sent[] =>
    'fields' in entry ? [{ number: first + at, entry }] : [],
  )
  const parts = await partsOf(importing, sent)
  for (const { sent: part, ...choice } of parts) {
    // Each part is counted in the transaction that imports it.
    if (importing.recordedAhead >= part.length) {
      importing.recordedAhead -= part.length
      continue
    }
    const request = { entries: part.map(({ entry }) => entry), ...choice, isDryRun: false }
    const outcomes = await importSome(run, { ...request, importId: job.importId })
    await keepRefused(importing, part, outcomes)
  }
  job.position = position
  job.recorded += sent.length
  job.refused += entries.length - sent.length
  await savePosition(run)
  await nextTurn()
}

type Part = Pick<ImportRequest, 'onConflict' | 'conflictDomain'> & { sent: Sent[] }

/** By what becomes of conflicts, always in one order. Links that get another code are among those that change nothing. */
async function partsOf(importing: Importing, sent: readonly Sent[]): Promise<Part[]> {
  const { run, usedCodes } = importing
  const choices = await choicesOf(run, sent)
  const renamed = sent.flatMap(({ number, entry }) => {
    const choice = choices.get(number)
    if (choice?.choice !== 'rename' || choice.newCode !== null) return []
    return [{ ...choice.key, isUsed: (code: string) => usedCodes.has(usedCode(entry.fields.domain, code)) }]
  })
  const suggestions = await suggestCodes({ db: run.deps.readDb }, renamed)
  const parts = new Map<string, Part>()
  const add = (choice: Omit<Part, 'sent'>, each: Sent) => {
    const name = JSON.stringify(choice)
    const part = parts.get(name) ?? { ...choice, sent: [] }
    part.sent.push(each)
    parts.set(name, part)
  }
  const { onConflict, conflictDomain } = run.job
  for (const each of sent) {
    const { choice, key, newCode, newDomain } = choices.get(each.number) ?? {}
    if (choice === undefined) add({ onConflict, conflictDomain }, each)
    else if (choice === 'rename') {
      const code = newCode ?? suggestions.get(keyText(key!))
      add({ onConflict: 'skip' }, code === undefined ? each : withCode(each, code))
    } else if (choice === 'move')
      add({ onConflict: choice, conflictDomain: newDomain! }, onDomain(each, newDomain!))
    else add({ onConflict: choice }, each)
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
}

const onDomain = ({ number, entry }: Sent, domain: string): Sent => ({
  number,
  entry: { ...entry, fields: { ...entry.fields, domain } },
})

const withCode = ({ number, entry }: Sent, code: string): Sent => ({
  number,
  entry: { ...entry, code, fields: { ...entry.fields, custom_code: code } },
})

type Chosen = { choice: ItemChoice; key: LinkKey; newCode: string | null; newDomain: string | null }

/** The choices of their own that conflicts have, by the number of the link. */
async function choicesOf({ deps, job }: JobRun, sent: readonly Sent[]): Promise<Map<number, Chosen>> {
  if (sent.length === 0) return new Map()
  const rows = await deps.readDb
    .selectFrom('import_items')
    .select(['number', 'choice', 'new_code', 'new_domain', 'item'])
    .where('job_id', '=', job.id)
    .where('number', '>=', sent[0]!.number)
    .where('number', '<=', sent.at(-1)!.number)
    .where('choice', 'is not', null)
    .execute()
  return new Map(
    rows.map(({ number, choice, new_code: newCode, new_domain: newDomain, item }) => {
      const key = keyOfChecked(JSON.parse(item) as CheckedItem)
      return [number, { choice: choice as ItemChoice, newCode, newDomain, key }]
    }),
  )
}

/** Those that are refused only now are listed with the others. */
async function keepRefused(
  importing: Importing,
  sent: readonly Sent[],
  outcomes: readonly ImportOutcome[],
): Promise<void> {
  const { deps, job } = importing.run
  const rows = sent.flatMap(({ number, entry }, at): Insertable<ImportItemTable>[] => {
    const { result, errors, key } = outcomes[at]!
    if (result !== 'refused' || importing.refusedLater >= KEPT_MAX.refused) return []
    importing.refusedLater++
    const item = checkedItem(entry, { errors, domainId: key?.domainId })
    return [itemRow(job.id, number, { result, item })]
  })
  const others =
    job.counts?.refused === 0
      ? []
      : sent.flatMap(({ number }, at) => (outcomes[at]!.result === 'refused' ? [] : [number]))
  if (others.length > 0) {
    // The check had refused them, and they are on another domain now.
    const moved = deps.db.updateTable('import_items').where('job_id', '=', job.id)
    await moved
      .where('number', 'in', others)
      .where('result', '=', 'refused')
      .set({ result: 'created' })
      .execute()
  }
  if (rows.length === 0) return
  await deps.db
    .insertInto('import_items')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['job_id', 'number'])
        .doUpdateSet((eb) => ({ result: eb.ref('excluded.result'), item: eb.ref('excluded.item') })),
    )
    .execute()
}
