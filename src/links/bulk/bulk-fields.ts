import { z } from 'zod'
import { couldOpen } from '../../codes/unusual-code.ts'
import { boundedList } from '../bounded-list.ts'
import { NOT_A_STRING } from '../../validation/field-rules.ts'
import { bulkLabels } from '../labels/label-fields.ts'
import { BULK_LINKS_MAX, dryRun, type LinkSchemas } from '../link-fields.ts'
import { timeConflicts } from '../link-times.ts'

// What requests about many links say.

const shortCodes = boundedList(z.string(NOT_A_STRING).refine(couldOpen, 'Link not found.'), {
  min: 1,
  max: BULK_LINKS_MAX,
}).meta({ description: `From 1 to ${BULK_LINKS_MAX} short codes.`, example: ['launch', 'sale'] })

const domainOfCodes = z.string(NOT_A_STRING).optional().meta({
  description: 'The host of the short URLs, as the parameter `domain` of one link.',
  example: 'go.example.com',
})

/** What is set for many links at once: nothing that only one link can have, and no password. */
export const bulkSchemas = ({ bulkEdit }: LinkSchemas) => {
  const set = bulkEdit
    .extend(bulkLabels)
    .strict()
    .refine((fields) => Object.keys(fields).length > 0, {
      error: 'The :attribute must name at least one field.',
      when: ({ issues }) => issues.length === 0,
    })
    // A conflict with what one of the links has stored is an error of that link's code; see updateLinks.
    .check(({ value, issues }) => {
      for (const [field, message] of Object.entries(timeConflicts(value)))
        issues.push({ code: 'custom', path: [field], message, input: value })
    })
  return {
    bulkUpdate: z.object({ short_codes: shortCodes, domain: domainOfCodes, set, dry_run: dryRun }),
    bulkDeletion: z.object({ short_codes: shortCodes, domain: domainOfCodes, dry_run: dryRun }),
    bulkRestoration: z.object({ short_codes: shortCodes, domain: domainOfCodes }),
  }
}

type BulkSchemas = ReturnType<typeof bulkSchemas>
export type BulkUpdateInput = z.input<BulkSchemas['bulkUpdate']>
export type BulkSet = z.output<BulkSchemas['bulkUpdate']>['set']
