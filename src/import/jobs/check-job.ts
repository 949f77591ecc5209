import { unusualCode } from '../../codes/unusual-code.ts'
import { Refusal } from '../../errors/refusal.ts'
import { findLinksByKeys } from '../../links/find-link.ts'
import { keyText } from '../../links/link-key.ts'
import { nextTurn } from '../../runtime/turns.ts'
import { FirstUses } from '../../store/sqlite/first-uses.ts'
import { transact } from '../../store/transact.ts'
import { type ImportEntry, importEntry } from '../import-entry.ts'
import type { ImportOutcome } from '../imported-items.ts'
import type { SourceItem } from '../source.ts'
import { type CheckResult, type CheckedItem, checkedItem, itemRow, KEPT_MAX } from './checked-item.ts'
import { callerOf, type CheckCounts, linkChoicesOf } from './import-job.ts'
import { importSome } from './import-some.ts'
import { type JobRun, saveRunIn } from './job-run.ts'
import { removeRows } from './remove-jobs.ts'
import { sourceGroups } from './source-channel.ts'
import { withSourceFiles } from './source-files.ts'
import { decryptKey } from './source-key.ts'
import { type SourceGroup, type SourceOpening } from './read-source.ts'
import { storedGroups } from './stored-groups.ts'

/** How far a check is. */
type Checking = { run: JobRun; counts: CheckCounts; usedCodes: FirstUses; position: number; nowUs: number }

/** Says of every link what would become of it, and keeps all links as they were read. */
export async function checkJob(run: JobRun): Promise<void> {
  const { deps, job } = run
  await removeRows(deps.db, 'import_items', job.id)
  const usedCodes = new FirstUses()
  const counts: CheckCounts = { created: 0, equal: 0, conflicts: 0, refused: 0, oldCodes: 0 }
  const checking: Checking = { run, counts, usedCodes, position: 0, nowUs: deps.clock.nowUs() }
  try {
    if (job.links === undefined) await checkSource(checking)
    else for await (const { links } of storedGroups(run)) await checkGroup(checking, links, false)
  } finally {
    usedCodes.close()
  }
  await saveRunIn(deps.db, run, {
    state: 'checked',
    links: checking.position,
    counts: JSON.stringify(counts),
    position: checking.position,
    changed_at: deps.clock.nowUs(),
    waiting_until: null,
    // All links were read.
    source_key: null,
  })
}

async function checkSource(checking: Checking): Promise<void> {
  const { run } = checking
  const { deps, job } = run
  await removeRows(deps.db, 'import_groups', job.id)
  const check = async (opening: SourceOpening) => {
    for await (const { links } of groupsOfSource(run, opening)) await checkGroup(checking, links, true)
  }
  const { source, url, options } = job
  if (url !== undefined) {
    // Nothing is requested for clicks that are left out.
    const clicks = options.without?.includes('clicks') ? 'totals' : options.clicks
    const choices = { clicks, list: options.list, selection: linkChoicesOf(job) }
    return check({ source, url, key: await keyOf(run), ...choices, client: deps.client })
  }
  await withSourceFiles({ ...deps, signal: run.signal }, job, (files) => check({ source, files, options }))
}

async function keyOf({ deps, job }: JobRun): Promise<string> {
  const key = job.sourceKey === undefined ? undefined : await decryptKey(deps.readDb, job.sourceKey)
  if (key === undefined)
    throw new Refusal('command_failed', 'The key is not there any more. Begin another import with it.')
  return key
}

/** What is said while the source is read is stored at once, for those who look at the job. */
async function* groupsOfSource(run: JobRun, opening: SourceOpening): AsyncGenerator<SourceGroup, void> {
  const { deps, signal } = run
  const description: string[] = []
  let saving = Promise.resolve()
  const save = (changes: Parameters<typeof saveRunIn>[2]) => {
    saving = saving.then(() => saveRunIn(deps.db, run, changes)).catch(() => {})
  }
  const reports = {
    described(lines: string[]) {
      description.push(...lines)
      save({ description: JSON.stringify(description) })
    },
    said: (message: string) => save({ message }),
    waits: (untilUs: number | null) =>
      save({ waiting_until: untilUs, ...(untilUs === null && { message: null }) }),
  }
  yield* sourceGroups(opening, reports, signal)
  await saving
}

async function checkGroup(checking: Checking, links: string, isNew: boolean): Promise<void> {
  const { run, counts } = checking
  const { deps, job } = run
  const items = JSON.parse(links) as SourceItem[]
  const first = checking.position + 1
  const options = { ...checking, ...linkChoicesOf(job) }
  const entries = items.map((item) => importEntry(options, item))
  const checked = await checkEntries(checking, entries)
  const rows = checked.flatMap(({ result, item }, at) => {
    const count = result === 'conflict' ? ++counts.conflicts : ++counts[result]
    const code = item.code
    if (result !== 'refused' && unusualCode(code) !== undefined) counts.oldCodes++
    if (count > KEPT_MAX[result]) return []
    return [itemRow(job.id, first + at, { result, item })]
  })
  checking.position += items.length
  await transact(deps.db, async (tx) => {
    await saveRunIn(tx, run, { position: checking.position })
    if (isNew) await tx.insertInto('import_groups').values({ job_id: job.id, first, links }).execute()
    if (rows.length > 0) await tx.insertInto('import_items').values(rows).execute()
  })
  await nextTurn()
}

type Checked = { result: CheckResult; item: CheckedItem }

async function checkEntries({ run }: Checking, entries: readonly ImportEntry[]): Promise<Checked[]> {
  const sent = entries.filter((entry) => 'fields' in entry)
  const outcomes = await importSome(run, { entries: sent, onConflict: 'skip', isDryRun: true })
  const byEntry = new Map<ImportEntry, ImportOutcome>(sent.map((entry, at) => [entry, outcomes[at]!]))
  const here = await destinationsHere(run, outcomes)
  return entries.map((entry): Checked => {
    const outcome = byEntry.get(entry)
    if (outcome === undefined) return { result: 'refused', item: checkedItem(entry, {}) }
    const { result, key, differences, errors } = outcome
    const found = {
      code: key?.code,
      domainId: key?.domainId,
      here: key && here.get(keyText(key)),
      differences,
      errors,
    }
    return {
      result: result === 'created' || result === 'equal' || result === 'refused' ? result : 'conflict',
      item: checkedItem(entry, found),
    }
  })
}

/** Of the links that conflicts are with. */
async function destinationsHere({ deps, job }: JobRun, outcomes: readonly ImportOutcome[]) {
  const keys = outcomes.flatMap(({ result, key }) => (result === 'skipped' && key ? [key] : []))
  const links = await findLinksByKeys(deps.readDb, callerOf(job), keys)
  return new Map([...links].map(([key, { originalUrl }]) => [key, originalUrl]))
}
