import { z } from 'zod'
import type { ImportedClicks } from '../clicks/imported/imported-clicks.ts'
import { importedCode } from '../links/fields/basic-fields.ts'
import {
  BULK_LINKS_MAX,
  dryRun,
  type LinkSchemas,
  linkWithCodes,
  type NewLink,
} from '../links/link-fields.ts'
import type { WithPasswordHash } from '../links/link-password.ts'
import { BCRYPT } from '../validation/bcrypt.ts'
import { choice, lineOfText, NOT_A_STRING, time } from '../validation/field-rules.ts'
import { idParameter } from '../validation/query-parameters.ts'
import { importedClicksField } from './imported-clicks-field.ts'

/** What becomes of a link whose code opens a link of the workspace that differs from it. */
export const CONFLICT_CHOICES = ['skip', 'keep', 'replace', 'move'] as const
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number]

const HOST_LENGTH_MAX = 255

/** `created`, `equal` and `refused`, or what became of a conflict. */
export const IMPORT_RESULTS = ['created', 'equal', 'skipped', 'kept', 'replaced', 'refused'] as const
export type ImportResult = (typeof IMPORT_RESULTS)[number]
export type ImportCounts = Record<ImportResult, number>

export const noResults = (): ImportCounts =>
  Object.fromEntries(IMPORT_RESULTS.map((result) => [result, 0])) as ImportCounts

/** Analytics and lists begin with the creation of a link. Nothing on the web is older. */
const createdAt = time
  .refine((us) => us > 0, 'The :attribute must be after 1970.')
  .nullish()
  .meta({ description: 'When it was created elsewhere; absent: now.', example: '2024-05-01T08:00:00Z' })

/** Either this or `password`. Its cost is bounded, because every visitor who enters a password causes it. */
const passwordHash = z
  .string(NOT_A_STRING)
  .refine((text) => BCRYPT.test(text), 'The :attribute must be a hash of bcrypt with a cost of 12 at most.')
  .nullish()
  .meta({
    description:
      'The hash of bcrypt that another program kept of the password, in place of `password`. It is replaced by one of ours when a visitor enters the password for the first time.',
    example: `$2b$12$${'7'.repeat(53)}`,
  })

/** What only links that were made elsewhere have. */
export const foreignFields = z.object({
  created_at: createdAt,
  password_hash: passwordHash,
  clicks: importedClicksField,
})

export type ImportedLink = WithPasswordHash<
  NewLink & { createdAtUs?: number | undefined; importedClicks?: ImportedClicks | undefined }
>

export const onConflict = choice(CONFLICT_CHOICES).default('skip').meta({
  description:
    'For a link that differs from the link with its code. `skip`: nothing changes. `keep`: what is empty here is filled. `replace`: every field that differs is replaced. `move`: it goes to `conflict_domain`, and is refused if its code is in use there too.',
})

export const conflictDomain = lineOfText(HOST_LENGTH_MAX)
  .nullish()
  .transform((host) => host?.trim() || undefined)
  .meta({ description: 'For `move`: the host of a domain of the workspace.', example: null })

export const importId = idParameter.nullish().meta({
  description: 'The ID of an import of the workspace that goes on: the links are part of it.',
  example: null,
})

const CODE_DESCRIPTION =
  'The code, as it is: unlike that of a new link it may have any number of characters up to 255 bytes, of any script, with dots, and up to 5 parts between slashes. On domains of their own, only `.well-known`, `qr`, `robots.txt` and the icons are reserved.'

/** A link that was made elsewhere, with any code. */
export function importedLinkSchema(schemas: Pick<LinkSchemas, 'newLink'>) {
  const link = linkWithCodes(schemas, importedCode)
  return link.extend({
    custom_code: link.shape.custom_code.meta({ description: CODE_DESCRIPTION, example: 'launch' }),
    aliases: link.shape.aliases.meta({
      description: 'Up to 10 more codes that open the link. Same rules as for the code.',
    }),
  })
}

/** The body of an import. Titles are not fetched for it, and what has no code is always compared with what is there. */
export const importSchema = (schemas: Pick<LinkSchemas, 'newLink'>) =>
  z.object({
    links: z
      .array(
        importedLinkSchema(schemas)
          .omit({ fetch_title: true, reuse_existing: true })
          .extend(foreignFields.shape),
      )
      .min(1)
      .max(BULK_LINKS_MAX),
    on_conflict: onConflict,
    conflict_domain: conflictDomain,
    import_id: importId,
    dry_run: dryRun,
  })
