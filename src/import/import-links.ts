import type { Caller } from '../access/caller.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { findLinksByKeys } from '../links/find-link.ts'
import { keyText } from '../links/link-key.ts'
import { hasPassword } from '../links/link-password.ts'
import { readEachLink } from '../links/read-links.ts'
import { inTurns } from '../runtime/turns.ts'
import { isObject } from '../validation/is-object.ts'
import { CLICK_ROWS_MAX, clickRowsOf } from './imported-clicks-field.ts'
import { createItems } from './create-imported.ts'
import { foreignFields, type ImportedLink } from './import-fields.ts'
import {
  type Fields,
  type Import,
  type ImportDeps,
  type ImportOutcome,
  type ImportRequest,
  type Item,
  keyOfItem,
  type PlacedItem,
  withoutRefused,
} from './imported-items.ts'
import { findClicksHere } from './keep-clicks.ts'
import { onOtherDomain, refuseConflicts, refuseOtherDomain } from './move-conflicts.ts'
import { meetLink } from './meet-link.ts'
import { refuseClosedImport } from './records/find-import.ts'
import { placeUnusual } from '../links/place-unusual.ts'
import { takeBack } from './take-back.ts'
import { wholeText } from '../runtime/number-text.ts'

// Links that were made elsewhere. Each is decided by itself: what is wrong with one leaves the others alone. What is sent again
// finds itself, so an import that was interrupted is repeated as a whole.

/** An outcome for each of the links, in their order. */
export async function importLinks(
  deps: ImportDeps,
  caller: Caller,
  request: ImportRequest,
): Promise<ImportOutcome[]> {
  if (request.importId !== undefined) await refuseClosedImport(deps, caller, request.importId)
  if (request.onConflict === 'move') refuseOtherDomain(deps, caller, request.conflictDomain)
  const outcomes = new Map<number, ImportOutcome>()
  const all: Import = { deps, caller, request, outcomes }
  const items = await readItems(all)
  const { accepted, value: links } = await withoutRefused(all, items, async (some) =>
    placeUnusual(
      deps,
      caller,
      some.map(({ link }) => link),
    ),
  )
  const placed = accepted.map((item, at) => ({ ...item, link: links[at]! }))
  const missing = await meetLinks(all, placed)
  const moved = request.onConflict === 'move' ? await moveConflicts(all, placed) : []
  await createItems(all, await takeBack(all, [...missing, ...moved]))
  return [...outcomes.keys()].sort((a, b) => a - b).map((index) => outcomes.get(index)!)
}

/** Decides about those whose code opens a link, and gives the others. */
async function meetLinks(all: Import, placed: readonly PlacedItem[]): Promise<PlacedItem[]> {
  const { deps, caller, outcomes } = all
  const existing = await findLinksByKeys(deps.readDb, caller, placed.flatMap(keyOfItem))
  const linkAt = (item: PlacedItem) => keyOfItem(item).flatMap((key) => existing.get(keyText(key)) ?? [])[0]
  const pairs = placed.flatMap((item) => {
    const link = linkAt(item)
    return link === undefined ? [] : [{ item, link }]
  })
  const clicks = await findClicksHere(all, pairs)
  for await (const { item, link } of inTurns(pairs, LINKS_PER_TURN))
    outcomes.set(item.index, await meetLink(all, item, { link, clicks: clicks.get(link.id) }))
  return placed.filter((item) => linkAt(item) === undefined)
}

/** Those that can be created on the other domain. */
async function moveConflicts(all: Import, placed: readonly PlacedItem[]): Promise<PlacedItem[]> {
  const items = await onOtherDomain(all, placed)
  const missing = await meetLinks(all, items)
  refuseConflicts(all, items)
  return missing
}

/** Compared before others get a turn. */
const LINKS_PER_TURN = 5

async function readItems({ deps, request, outcomes }: Import): Promise<Item[]> {
  const { links } = request
  refuseManyClicks(links)
  const recognizable = Array.isArray(links) ? links.map(recognized) : links
  const parsed = await readEachLink(recognizable, deps.schemas.importedLink)
  return parsed.flatMap(({ value: link, errors }, index) => {
    const sent: unknown = (links as unknown[])[index]
    const foreign = foreignFields.safeParse(isObject(sent) ? sent : {})
    const imported: ImportedLink | undefined = link && {
      ...link,
      createdAtUs: foreign.data?.created_at ?? undefined,
      password_hash: foreign.data?.password_hash ?? undefined,
      importedClicks: foreign.data?.clicks ?? undefined,
    }
    const all = isObject(sent)
      ? {
          ...errors,
          ...fieldErrorsOf(foreign.error?.issues ?? []),
          ...(imported && faultsOf(imported, deps.clock.nowUs())),
        }
      : { link: ['The link must be an object.'] }
    if (imported !== undefined && Object.keys(all).length === 0)
      return [{ index, sent: sent as Fields, link: imported }]
    outcomes.set(index, { result: 'refused', errors: all })
    return []
  })
}

/** Each is a row, and they are written together. */
function refuseManyClicks(links: unknown): void {
  const count = Array.isArray(links) ? links.reduce<number>((sum, link) => sum + clickRowsOf(link), 0) : 0
  if (count <= CLICK_ROWS_MAX) return
  const [have, max] = [count, CLICK_ROWS_MAX].map(wholeText)
  throw invalid({
    links: [`The links have ${have} days and values of clicks; a request may have at most ${max}.`],
  })
}

const IN_THE_FUTURE = 'The created at may not be in the future.'
const TWO_PASSWORDS = 'Send either the password hash or the password.'

function faultsOf(link: ImportedLink, nowUs: number): FieldErrors {
  const { createdAtUs = 0, password_hash: hash } = link
  return {
    // The list of links begins with the latest.
    ...(createdAtUs > nowUs && { created_at: [IN_THE_FUTURE] }),
    ...(hash != null && hasPassword(link) && { password_hash: [TWO_PASSWORDS] }),
    ...(link.custom_code === undefined && !isRecognizable(link) && { custom_code: [UNRECOGNIZABLE] }),
  }
}

/** What has no code is recognized by all else. */
const recognized = (link: unknown): unknown =>
  isObject(link) && link.custom_code == null ? { ...link, reuse_existing: true } : link

const UNRECOGNIZABLE =
  'A link that is disabled, archived or protected by a password needs a code to be recognized when it is imported again.'

const isRecognizable = (link: ImportedLink): boolean =>
  link.is_active && link.archived !== true && !hasPassword(link) && link.password_hash == null
