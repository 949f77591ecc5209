import type { Caller } from '../access/caller.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { type FieldErrors, InvalidItems, Refusal } from '../errors/refusal.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type ChangeLinksDeps, changeLinks } from '../links/change-links.ts'
import { createLinks } from '../links/create-links.ts'
import { editLink, editProtectedLink } from '../links/edit-link.ts'
import type { DestinationRules } from '../links/destinations/destination.ts'
import { findLinksByKeys } from '../links/find-link.ts'
import type { LinkSchemas } from '../links/link-fields.ts'
import { keyText, type LinkKey } from '../links/link-key.ts'
import {
  hashLinkPasswords,
  hasPassword,
  type LinkPasswordHasher,
  withoutHashing,
} from '../links/link-password.ts'
import type { Link } from '../links/link.ts'
import { type DomainsOfCallers, placeLinks } from '../links/place-links.ts'
import { readEachLink, readLinkEdit } from '../links/read-links.ts'
import type { PlacedLink } from '../links/reuse-links.ts'
import { inTurns } from '../runtime/turns.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type ConflictChoice, foreignFields, type ImportedLink, type ImportResult } from './import-fields.ts'
import { isEmptyHere, type LinkDifference, linkDifferences } from './link-differences.ts'
import { isObject } from '../validation/is-object.ts'

// Links that were made elsewhere. Each is decided by itself: what is wrong with one leaves the others alone. What is sent again
// finds itself, so an import that was interrupted is repeated as a whole.

export type ImportDeps = ChangeLinksDeps & {
  readDb: CurrentDb
  domains: DomainsOfCallers
  schemas: LinkSchemas
  linksMax: LinksMax
  passwords: LinkPasswordHasher
  destinationRules: DestinationRules
}

export type ImportRequest = {
  /** As they were sent. */
  links: unknown
  onConflict: ConflictChoice
  /** The results are those of the same import, but nothing is stored. */
  isDryRun: boolean
  signal: AbortSignal
}

/** What became of one link. `key`: of the link here that it is now, was before, or is in conflict with. */
export type ImportOutcome = {
  result: ImportResult
  key?: LinkKey
  differences?: LinkDifference[]
  errors?: FieldErrors
}

type Fields = Record<string, unknown>
/** `index`: its place in the request. */
type Item = { index: number; sent: Fields; link: ImportedLink }
type PlacedItem = Item & { link: ImportedLink & { domainId: number } }
type Import = {
  deps: ImportDeps
  caller: Caller
  request: ImportRequest
  outcomes: Map<number, ImportOutcome>
}

/** An outcome for each of the links, in their order. */
export async function importLinks(
  deps: ImportDeps,
  caller: Caller,
  request: ImportRequest,
): Promise<ImportOutcome[]> {
  const outcomes = new Map<number, ImportOutcome>()
  const all: Import = { deps, caller, request, outcomes }
  const items = await readItems(all)
  const { accepted, value: links } = await withoutRefused(all, items, async (some) =>
    placeLinks(
      deps.domains,
      caller,
      some.map(({ link }) => link),
    ),
  )
  const placed = accepted.map((item, at) => ({ ...item, link: links[at]! }))
  const existing = await findLinksByKeys(deps.readDb, caller, placed.flatMap(keyOfItem))
  const linkAt = (item: PlacedItem) => keyOfItem(item).flatMap((key) => existing.get(keyText(key)) ?? [])[0]
  for await (const item of inTurns(placed, LINKS_PER_TURN)) {
    const link = linkAt(item)
    if (link !== undefined) outcomes.set(item.index, await meetLink(all, item, link))
  }
  await createItems(
    all,
    placed.filter((item) => linkAt(item) === undefined),
  )
  return [...outcomes.keys()].sort((a, b) => a - b).map((index) => outcomes.get(index)!)
}

/** Compared before others get a turn. */
const LINKS_PER_TURN = 5

const keyOfItem = ({ link: { domainId, custom_code: code } }: PlacedItem): LinkKey[] =>
  code === undefined ? [] : [{ domainId, code }]

async function readItems({ deps, request, outcomes }: Import): Promise<Item[]> {
  const { links } = request
  const recognizable = Array.isArray(links) ? links.map(recognized) : links
  const parsed = await readEachLink(recognizable, deps.schemas)
  return parsed.flatMap(({ value: link, errors }, index) => {
    const sent: unknown = (links as unknown[])[index]
    const foreign = foreignFields.safeParse(isObject(sent) ? sent : {})
    const imported: ImportedLink | undefined = link && {
      ...link,
      createdAtUs: foreign.data?.created_at ?? undefined,
      password_hash: foreign.data?.password_hash ?? undefined,
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

/** Attempts it with all items, and then with those that it does not refuse: each attempt has fewer. */
async function withoutRefused<Each extends Item, Value>(
  { outcomes }: Pick<Import, 'outcomes'>,
  items: readonly Each[],
  attempt: (some: readonly Each[]) => Promise<Value>,
): Promise<{ accepted: readonly Each[]; value: Value }> {
  try {
    return { accepted: items, value: await attempt(items) }
  } catch (error) {
    if (!(error instanceof InvalidItems)) throw error
    for (const [at, faults] of Map.groupBy(error.faults, ({ index }) => index)) {
      const errors = Object.fromEntries(faults.map(({ field, sentences }) => [field, sentences]))
      outcomes.set(items[at]!.index, { result: 'refused', errors })
    }
    const others = items.filter(({ index }) => !outcomes.has(index))
    return withoutRefused({ outcomes }, others, attempt)
  }
}

/** The code opens this link already. */
async function meetLink(
  all: Import,
  { link: imported, sent }: PlacedItem,
  link: Link,
): Promise<ImportOutcome> {
  const { onConflict } = all.request
  const key = { domainId: link.domainId, code: link.code }
  const differences = linkDifferences(link, imported, sent)
  if (differences.length === 0) return { result: 'equal', key }
  if (onConflict === 'skip') return { result: 'skipped', key, differences }
  const changed = onConflict === 'keep' ? differences.filter(isEmptyHere) : differences
  const result = onConflict === 'keep' ? 'kept' : 'replaced'
  if (changed.length === 0) return { result, key, differences }
  const input = Object.fromEntries(changed.map(({ field }) => [field, sent[field]]))
  try {
    await change(all, key, input)
    return { result, key, differences }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    return { result: 'refused', key, differences, errors: error.fields }
  }
}

async function change({ deps, caller, request }: Import, key: LinkKey, input: Fields): Promise<void> {
  const { isDryRun, signal } = request
  const password_hash = input.password_hash as string | undefined
  const edit = { ...readLinkEdit({ code: key.code, input }, deps.schemas), password_hash }
  if (isDryRun) return editLink(deps, caller, { key, edit: withoutHashing(edit), isDryRun })
  return editProtectedLink(deps, caller, { key, edit, signal })
}

async function createItems(all: Import, items: readonly PlacedItem[]): Promise<void> {
  const { request, outcomes } = all
  const unhashed = items.map((item) => ({ ...item, link: withoutHashing(item.link) }))
  const isTried = request.isDryRun || items.some(({ link }) => hasPassword(link))
  // Passwords are hashed once it is known which links are accepted, so that refused ones cost no hash.
  const trial = isTried ? await create(all, unhashed, true) : { accepted: unhashed, value: [] }
  const created = request.isDryRun ? trial : await create(all, await hashed(all, items), false)
  for (const [at, { link, isNew }] of created.value.entries()) {
    const { index, link: sent } = created.accepted[at]!
    const isUnassigned = request.isDryRun && isNew && sent.custom_code === undefined
    const key = isUnassigned ? {} : { key: { domainId: link.domainId, code: link.code } }
    outcomes.set(index, { result: isNew ? 'created' : 'equal', ...key })
  }
}

type UncreatedItem = Item & { link: PlacedLink }

const create = (all: Import, items: readonly UncreatedItem[], isDryRun: boolean) =>
  withoutRefused(all, items, async (some) => {
    if (some.length === 0) return []
    const links = some.map(({ link }) => link)
    return changeLinks(all.deps, { claimsCodes: true, isDryRun }, (change) =>
      createLinks({ ...change, linksMax: all.deps.linksMax }, all.caller, links),
    )
  })

/** Those that are not refused, with hashes instead of passwords. */
async function hashed({ deps, caller, request, outcomes }: Import, items: readonly PlacedItem[]) {
  const accepted = items.filter(({ index }) => !outcomes.has(index))
  const hashing = { workspaceId: caller.workspaceId, signal: request.signal }
  const links = await hashLinkPasswords(
    deps.passwords,
    hashing,
    accepted.map(({ link }) => link),
  )
  return accepted.map((item, at) => ({ ...item, link: links[at]! }))
}
