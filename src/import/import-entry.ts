import { ruleTotals } from '../links/bulk/bulk-totals.ts'
import type { FirstUses } from '../store/sqlite/first-uses.ts'
import { GROUP_BYTES_MAX, type LinkCost, NO_COST } from './import-groups.ts'
import { clickRowsOf } from './imported-clicks-field.ts'
import type { LinkChoices } from './link-choices.ts'
import { linkRequest } from './link-request.ts'
import type { SourceItem } from './source.ts'

/** Longer than any host and code, so the API refuses it. */
export const KEY_LENGTH_MAX = 400
export const TOO_LARGE = 'The link has more than 900 KB of data.'

/** A link as it is imported, or a sentence that says why it is not. `at`: where it is in its source. */
export type ImportEntry = { at: string; code: string; destination: string } & (
  { fields: Record<string, unknown>; bytes: number; lost: string[] } | { refused: string }
)

type EntryOptions = LinkChoices & {
  nowUs: number
  /** Where codes were in the source before. */
  usedCodes: FirstUses
}

export function importEntry({ usedCodes, ...options }: EntryOptions, item: SourceItem): ImportEntry {
  const { at } = item
  if ('refused' in item) return { at, code: '', destination: '', refused: item.refused }
  const code = item.link.code ?? ''
  const named = { at, code, destination: item.link.destination ?? '' }
  const request = linkRequest(item.link, options)
  if ('refused' in request) return { ...named, refused: request.refused }
  const { fields, lost } = request
  const bytes = Buffer.byteLength(JSON.stringify(fields))
  if (bytes > GROUP_BYTES_MAX) return { ...named, refused: TOO_LARGE }
  const key = usedCode(fields.domain, code)
  const isComparable = code !== '' && key.length <= KEY_LENGTH_MAX
  const earlier = isComparable ? usedCodes.before(key, at) : undefined
  // Of codes that were all noted before, this is its own.
  if (earlier !== undefined && earlier !== at)
    return { ...named, refused: `The code is used before, at ${earlier}.` }
  return { ...named, fields, bytes, lost }
}

/** As it is noted which codes are used. */
export const usedCode = (domain: unknown, code: string): string => `${String(domain ?? '')}/${code}`

export const costOfEntry = (entry: ImportEntry): LinkCost =>
  'fields' in entry
    ? {
        bytes: entry.bytes,
        passwords: Number('password' in entry.fields),
        clickRows: clickRowsOf(entry.fields),
        ...ruleTotals([entry.fields]),
      }
    : NO_COST
