import { z } from '@hono/zod-openapi'
import { validated } from '../../errors/field-errors.ts'
import {
  type ConflictChoice,
  conflictDomain,
  IMPORT_RESULTS,
  type ImportResult,
  importId,
  onConflict,
} from '../../import/import-fields.ts'
import { countsOf, type ImportOutcome } from '../../import/imported-items.ts'
import { importLinks } from '../../import/import-links.ts'
import { TOTALS_DESCRIPTION } from '../../links/bulk/bulk-totals.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { BULK_LINKS_MAX } from '../../links/link-fields.ts'
import { readDryRun } from '../../links/read-links.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { readTogether } from '../requests/read-request.ts'
import { IGNORED_FIELDS } from './link-view.ts'

const importedLink = z
  .strictObject({
    result: z.enum(IMPORT_RESULTS).openapi({
      description:
        '`created`; `equal`: it is here, with all that was sent; `refused`: see `errors`. The others are conflicts: the link with its code differs. `skipped`: nothing was changed; `kept`: what was empty was filled; `replaced`: the differences were replaced.',
      example: 'created',
    }),
    short_code: z
      .string()
      .nullable()
      .openapi({ description: 'null: refused, or not assigned in a dry run.', example: 'launch' }),
    domain: z.string().nullable().openapi({ example: 'go.example.com' }),
    differences: z
      .record(z.string(), z.strictObject({ here: z.unknown(), imported: z.unknown() }))
      .openapi({ description: 'Of a conflict: by field, what is here and what was sent.', example: {} }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .openapi({ description: 'Of a refused link: the sentences about its fields.', example: {} }),
  })
  .openapi('ImportedLink')

export type ImportedLinkView = z.infer<typeof importedLink>

const countOf = (of: string) =>
  z
    .int()
    .min(0)
    .openapi({ description: `How many were ${of}.`, example: 1 })
/** By result. */
export const importCounts = z.strictObject(
  Object.fromEntries(IMPORT_RESULTS.map((result) => [result, countOf(result)])) as Record<
    ImportResult,
    ReturnType<typeof countOf>
  >,
)

/** Links that were made in another program. */
export const importEndpoint = endpoint({
  route: 'POST /links/import',
  who: 'both',
  scope: 'links:write',
  tag: 'Links',
  summary: `Import up to ${BULK_LINKS_MAX} links`,
  description: `For links that were made elsewhere, with their codes and the time of their creation. Each link is decided by itself, and the answer says what became of it. What is sent twice is imported once: a code that opens an equal link changes nothing, and a link without a code is compared with those to the same destination, as with \`reuse_existing\`. At most 20 of the links may have a password. ${TOTALS_DESCRIPTION} With \`import_id\`, they are part of an import that can be undone as a whole: see \`POST /api/imports\`. With \`dry_run\`, nothing is stored, and the answer says what would become of each link.`,
  input: {
    schema: ({ schemas }) => schemas.importedLinks,
    example: {
      links: [
        {
          original_url: 'https://example.com/launch',
          custom_code: 'imported-launch',
          created_at: '2024-05-01T08:00:00Z',
        },
      ],
      on_conflict: 'keep',
      dry_run: true,
    },
    ignored: IGNORED_FIELDS,
    read: (sent) =>
      readTogether({
        links: () => sent.links,
        onConflict: (): ConflictChoice => validated(onConflict, sent.on_conflict, ['on_conflict']),
        conflictDomain: () => validated(conflictDomain, sent.conflict_domain, ['conflict_domain']),
        isDryRun: () => readDryRun(sent),
        importId: () => validated(importId, sent.import_id, ['import_id']) ?? undefined,
      }),
  },
  answer: {
    message: '1 of 1 links created.',
    description: 'What became of each link, in the order in which they were sent.',
    count: z.int().min(1).openapi({ description: 'How many were sent.', example: 1 }),
    data: z.array(importedLink),
    meta: importCounts,
  },
  refusals: [409, 422],
  async run({ caller, input, signal }, deps) {
    const outcomes = await importLinks(deps, caller, { ...input, signal })
    const isNew = ({ result }: ImportOutcome) => result === 'created'
    const outcome = input.isDryRun ? 'would be created; nothing was stored.' : 'created.'
    return {
      message: `${outcomes.filter(isNew).length} of ${outcomes.length} links ${outcome}`,
      count: outcomes.length,
      data: outcomes.map((each) => importedLinkView(deps, each)),
      meta: countsOf(outcomes),
    }
  },
})

const importedLinkView = (
  { domains }: { domains: Pick<Domains, 'hostOf'> },
  { result, key, differences = [], errors = {} }: ImportOutcome,
): ImportedLinkView => ({
  result,
  short_code: key?.code ?? null,
  domain: key === undefined ? null : domains.hostOf(key.domainId),
  differences: Object.fromEntries(differences.map(({ field, ...values }) => [field, values])),
  errors,
})
