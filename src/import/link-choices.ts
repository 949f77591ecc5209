import { z } from 'zod'
import { invalid } from '../errors/refusal.ts'
import { folderName } from '../links/labels/label-fields.ts'
import { choice, day } from '../validation/field-rules.ts'

/** What does not have to come along. Without `archived`, links that are archived are left out as a whole. */
export const LEAVABLE = ['clicks', 'tags', 'folders', 'archived'] as const
type Leavable = (typeof LEAVABLE)[number]

/** What was chosen for all links, whatever the source says of them. `domain`: a host. */
export type LinkChoices = {
  domain?: string | undefined
  folder?: string | undefined
  without?: Leavable[] | undefined
  /** The first and the last day of the creations that come along, in UTC: `2026-11-20`. */
  createdFrom?: string | undefined
  createdTo?: string | undefined
}

/** Which links come along. */
export type LinkSelection = Pick<LinkChoices, 'without' | 'createdFrom' | 'createdTo'>

/** Choices of an import job, beside its domain. */
export const linkChoices = {
  folder: folderName.unwrap().unwrap().optional().meta({
    description: 'The name of the folder that all links go to, whatever the source says.',
    example: 'Imported from Bitly',
  }),
  without: z
    .array(choice(LEAVABLE))
    .max(LEAVABLE.length, `The :attribute may not have more than ${LEAVABLE.length} items.`)
    .optional()
    .meta({
      description:
        'What does not come along: `clicks`, `tags`, `folders`. With `archived`, archived links are left out.',
      example: ['tags'],
    }),
  created_from: day.optional().meta({
    description: 'Links that were created before this day, in UTC, are left out.',
    example: '2024-01-01',
  }),
  created_to: day.optional().meta({
    description: 'Links that were created after this day, in UTC, are left out.',
    example: '2026-11-20',
  }),
}

/** Throws if no link could come along. */
export function refuseReversedDays(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid({ created_to: ['The created to may not be before created from.'] })
}
