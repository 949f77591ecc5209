import type { Caller } from '../access/caller.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { type FieldErrors, InvalidItems } from '../errors/refusal.ts'
import type { ChangeLinksDeps } from '../links/change-links.ts'
import type { DestinationRules } from '../links/destinations/destination.ts'
import type { z } from 'zod'
import type { LinkSchemas, NewLink } from '../links/link-fields.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { LinkPasswordHasher } from '../links/link-password.ts'
import type { PlacingDeps } from '../links/place-unusual.ts'
import type { CurrentDb } from '../store/handles.ts'
import {
  type ConflictChoice,
  type ImportCounts,
  type ImportedLink,
  type ImportResult,
  noResults,
} from './import-fields.ts'
import type { LinkDifference } from './link-differences.ts'

export type ImportDeps = ChangeLinksDeps &
  PlacingDeps & {
    readDb: CurrentDb
    /** `importedLink`: with codes of any kind. */
    schemas: LinkSchemas & { importedLink: z.ZodType<NewLink> }
    linksMax: LinksMax
    passwords: LinkPasswordHasher
    destinationRules: DestinationRules
    trashDays: number
  }

export type ImportRequest = {
  /** As they were sent. */
  links: unknown
  onConflict: ConflictChoice
  /** The host for the choice `move`. */
  conflictDomain?: string | undefined
  /** The results are those of the same import, but nothing is stored. */
  isDryRun: boolean
  /** The remembered import that the links are part of. */
  importId?: number | undefined
  signal: AbortSignal
}

/** What became of one link. `key`: of the link here that it is now, was before, or is in conflict with. */
export type ImportOutcome = {
  result: ImportResult
  key?: LinkKey
  differences?: LinkDifference[]
  errors?: FieldErrors
}

export type Fields = Record<string, unknown>
/** `index`: its place in the request. */
export type Item = { index: number; sent: Fields; link: ImportedLink }
export type PlacedItem = Item & {
  link: ImportedLink & { domainId: number; spelling?: string | undefined; ignoresCase?: boolean }
}
export type Import = {
  deps: ImportDeps
  caller: Caller
  request: ImportRequest
  outcomes: Map<number, ImportOutcome>
}

/** None if the code is to be assigned. */
export const keyOfItem = ({ link: { domainId, custom_code: code } }: PlacedItem): LinkKey[] =>
  code === undefined ? [] : [{ domainId, code }]

/** Attempts it with all items, and then with those that it does not refuse: each attempt has fewer. */
export async function withoutRefused<Each extends Item, Value>(
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

export function countsOf(outcomes: Iterable<ImportOutcome>): ImportCounts {
  const counts = noResults()
  for (const { result } of outcomes) counts[result]++
  return counts
}
