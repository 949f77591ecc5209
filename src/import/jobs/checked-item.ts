import type { Insertable } from 'kysely'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { ImportItemTable } from '../../store/import-job-schema.ts'
import type { FieldErrors } from '../../errors/refusal.ts'
import type { LinkDifference } from '../link-differences.ts'
import type { ImportEntry } from '../import-entry.ts'
import { refusalSentences } from '../refusal-sentences.ts'

// What a check keeps of a link, for people who look through the results.

/** Conflicts and refused links are what they decide about; of the others, the first ones are examples. */
export const KEPT_MAX = { created: 1_000, equal: 1_000, conflict: 100_000, refused: 100_000 } as const

export const CHECK_RESULTS = ['created', 'equal', 'conflict', 'refused'] as const
export type CheckResult = (typeof CHECK_RESULTS)[number]

const CODE_LENGTH_MAX = 300
const DESTINATION_LENGTH_MAX = 2_048
const SENTENCES_MAX = 20

/** `domainId`: null where that of the code is not known. `here`: the destination of the link with the code. */
export type CheckedItem = {
  at: string
  code: string
  domainId: number | null
  destination: string
  here: string | null
  differences: Record<string, { here: unknown; imported: unknown }>
  errors: Record<string, string[]>
  lost: string[]
}

type Found = {
  code?: string | undefined
  domainId?: number | undefined
  here?: string | undefined
  errors?: FieldErrors | undefined
  differences?: readonly LinkDifference[] | undefined
}

export function checkedItem(entry: ImportEntry, found: Found): CheckedItem {
  return {
    at: entry.at,
    code: (found.code ?? entry.code).slice(0, CODE_LENGTH_MAX),
    domainId: found.domainId ?? null,
    destination: entry.destination.slice(0, DESTINATION_LENGTH_MAX),
    here: found.here ?? null,
    differences: Object.fromEntries(
      (found.differences ?? []).map(({ field, here, imported }) => [field, { here, imported }]),
    ),
    errors: 'refused' in entry ? { link: [entry.refused] } : refusalSentences(found.errors ?? {}),
    lost: 'lost' in entry ? entry.lost.slice(0, SENTENCES_MAX) : [],
  }
}

/** What it would open; on the default domain where that of the code is not known. */
export const keyOfChecked = ({ domainId, code }: Pick<CheckedItem, 'domainId' | 'code'>): LinkKey => ({
  domainId: domainId ?? DEFAULT_DOMAIN,
  code,
})

/** As a check stores it, before anything is chosen. */
export const itemRow = (
  jobId: number,
  number: number,
  { result, item }: { result: CheckResult; item: CheckedItem },
): Insertable<ImportItemTable> => ({
  job_id: jobId,
  number,
  result,
  item: JSON.stringify(item),
  choice: null,
  new_code: null,
  new_domain: null,
})
