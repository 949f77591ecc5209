import { z } from 'zod'
import { folderName } from '../links/labels/label-fields.ts'
import { choice } from '../validation/field-rules.ts'

/** What does not have to come along. Without `archived`, links that are archived are left out as a whole. */
export const LEAVABLE = ['clicks', 'tags', 'folders', 'archived'] as const
type Leavable = (typeof LEAVABLE)[number]

/** What was chosen for all links, whatever the source says of them. `domain`: a host. */
export type LinkChoices = {
  domain?: string | undefined
  folder?: string | undefined
  without?: Leavable[] | undefined
}

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
}
