import { z } from 'zod'
import {
  CODE_CHARACTERS,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_PATTERN,
  isReserved,
} from '../codes/code-rules.ts'
import { destinationHash } from '../store/destination-hash.ts'
import { aliasesField } from './aliases.ts'
import { editLabels, newLinkLabels } from './labels/label-fields.ts'
import { lineOfText, NOT_A_STRING, REQUIRED, trueOrFalse } from '../validation/field-rules.ts'
import { utmField } from './utm-parameters.ts'
import { optionColumns, optionSchemas } from './link-options.ts'
import type { WithPasswordHash } from './link-password.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { destinationField } from './destinations/destination-field.ts'

// The one definition of each field that a link's owner sets: what is accepted, the error messages, the documentation, the columns,
// and how responses show it. Validation, types and the OpenAPI document derive from it.
// In messages, `:attribute` stands for the name of the field; see fieldErrorsOf.

export const BULK_LINKS_MAX = 100
/** In code points: an emoji is one character. */
const TITLE_LENGTH_MAX = 255
const HOST_LENGTH_MAX = 253

const title = lineOfText(TITLE_LENGTH_MAX)

/** Whether a code is taken is up to the database. */
export const customCode = z
  .string(NOT_A_STRING)
  // Not min() and max(): zod would also report the length of an array that should be a string.
  .refine(({ length }) => length >= CODE_LENGTH_MIN && length <= CODE_LENGTH_MAX, {
    error: `The :attribute must be between ${CODE_LENGTH_MIN} and ${CODE_LENGTH_MAX} characters.`,
    params: { code: 'code_length' },
  })
  .refine((code) => CODE_CHARACTERS.test(code), {
    error: 'The :attribute may only contain letters, numbers, dashes and underscores.',
    params: { code: 'code_characters' },
  })
  .refine((code) => !isReserved(code), {
    error: 'The :attribute is reserved.',
    params: { code: 'code_reserved' },
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ minLength: CODE_LENGTH_MIN, maxLength: CODE_LENGTH_MAX, pattern: CODE_PATTERN.source })

const aliases = aliasesField(customCode)

const fetchTitle = trueOrFalse.nullish().meta({
  description:
    'Whether to fill an empty title with that of the page, a little later: the response does not wait for it. The title stays empty if the page has none or cannot be reached, after a restart, and beyond 240 pages a minute.',
})

const UTM_DESCRIPTION =
  'UTM parameters to write into the query of `original_url`, in place of those that it has, if it begins with http or https. One that is absent stays as it is, null removes it.'

const UTM_COPY =
  'Beside a new `original_url`, all five as they are stored are taken for a copy of the response, and change nothing.'

const domain = z
  .string(NOT_A_STRING)
  .max(HOST_LENGTH_MAX, `The :attribute may not be greater than ${HOST_LENGTH_MAX} characters.`)
  .nullish()
  .meta({
    description:
      'The host of its short URL: a verified domain of the workspace, or one that the operator offers. Absent: the default domain of the workspace. It cannot be changed later.',
    example: 'go.example.com',
  })

const reuseExisting = trueOrFalse.nullish().meta({
  description:
    'true: an equal link is returned, with 200, instead of creating a second one. Equal: the same destination, active and not archived, and the same in every field that visitors notice; `title`, `notes`, `external_id`, `qr_style`, `tags`, `folder` and codes only count if they are sent. A link with a password is never equal. Of the links to one destination, the latest 100 of a domain are compared.',
})

/** What a creation accepts beside the fields of the link. */
const ofCreation = { domain, fetch_title: fetchTitle, reuse_existing: reuseExisting }

/** The bodies of requests about links. */
export function linkSchemas(rules: DestinationRules) {
  const originalUrl = destinationField(rules)
  const options = optionSchemas(rules)
  const newLink = z.object(
    {
      original_url: originalUrl.meta({
        description:
          'The destination: an absolute http or https URL, or one with a scheme of `DESTINATION_SCHEMES`, of at most 8,192 bytes after percent-encoding. Spaces and invisible characters at its ends are removed; spaces inside become `%20`. `url` is accepted as another name for the field.',
        example: 'https://example.com/launch',
      }),
      title: title
        .nullish()
        .transform((text) => text ?? '')
        .meta({ description: 'A label for people.', example: 'Launch page' }),
      custom_code: customCode
        .nullish()
        .transform((code) => code ?? undefined)
        .meta({
          description:
            'The code to use; one is assigned when it is absent. Case counts. It never passes to another account.',
          example: 'launch',
        }),
      aliases: aliases
        .nullish()
        .transform((codes) => codes ?? [])
        .meta({ description: 'Up to 10 more codes that open the link. Same rules as for the code.' }),
      is_active: trueOrFalse
        .nullish()
        .transform((active) => active ?? true)
        .meta({ description: 'Whether it redirects from the start; true when absent.' }),
      ...newLinkLabels,
      utm: utmField.meta({ description: UTM_DESCRIPTION }),
      ...ofCreation,
      ...options,
    },
    'The :attribute must be an object.',
  )
  const linkEdit = z.object({
    original_url: originalUrl.optional().meta({ example: 'https://example.com/new' }),
    title: title
      .nullable()
      .transform((text) => text ?? '')
      .optional()
      .meta({ description: 'null clears it.' }),
    aliases: aliases
      .nullable()
      .transform((codes) => codes ?? [])
      .optional()
      .meta({
        description:
          'All aliases of the link: the list replaces the one before. A code that is removed stays yours.',
      }),
    is_active: trueOrFalse.optional(),
    ...editLabels,
    utm: utmField.meta({ description: `${UTM_DESCRIPTION} ${UTM_COPY}` }),
    ...options,
  })
  const newLinks = z.object({ links: z.array(newLink).min(1).max(BULK_LINKS_MAX), dry_run: dryRun })
  return { newLink, newLinks, linkEdit }
}

export const dryRun = trueOrFalse.optional().meta({
  description: 'true: nothing is stored, and the response says what would be.',
})

/** The `links` of a bulk request, checked before each is validated as a `newLink`: their number is limited first. */
export const linkList = z
  .array(z.unknown(), {
    error: ({ input }) => (input === undefined ? REQUIRED : 'The :attribute must be an array.'),
  })
  .refine(
    ({ length }) => length >= 1 && length <= BULK_LINKS_MAX,
    `The :attribute must have between 1 and ${BULK_LINKS_MAX} items.`,
  )

export type LinkSchemas = ReturnType<typeof linkSchemas>
/** A valid new link. Its custom code may still be taken. */
export type NewLink = z.output<LinkSchemas['newLink']>
export type NewLinkInput = z.input<LinkSchemas['newLink']>
/** Undefined fields stay unchanged. */
export type LinkEdit = z.output<LinkSchemas['linkEdit']>
export type LinkEditInput = z.input<LinkSchemas['linkEdit']>

/** The values of the columns in `links`; undefined where a field is undefined. */
export const linkColumns = ({
  original_url: destination,
  title,
  is_active: isActive,
  ...options
}: WithPasswordHash<LinkEdit>) => ({
  original_url: destination?.text,
  // Null if it equals original_url, which saves space in most rows.
  target_url: destination && (destination.href === destination.text ? null : destination.href),
  destination_hash: destination && destinationHash(destination.href),
  title,
  is_active: isActive === undefined ? undefined : Number(isActive),
  ...optionColumns(options),
})

/** The columns of linkColumns that every link has, and which of them hold texts. */
export const FIELD_COLUMNS = {
  names: ['original_url', 'target_url', 'destination_hash', 'title', 'is_active'],
  texts: ['original_url', 'target_url', 'title'],
} as const satisfies Record<string, (keyof ReturnType<typeof linkColumns>)[]>

/** The fields in responses. */
export const linkAnswers = {
  original_url: z.string().meta({
    description: 'The destination, as it was sent, without spaces.',
    example: 'https://example.com/launch',
  }),
  title: z.string().meta({ description: "The label; '' when there is none.", example: 'Launch page' }),
  is_active: z
    .boolean()
    .meta({ description: "Its owner's switch: false while the link is disabled.", example: true }),
}
