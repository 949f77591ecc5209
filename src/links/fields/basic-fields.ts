import { z } from 'zod'
import {
  CODE_CHARACTERS,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_PATTERN,
  isReserved,
} from '../../codes/code-rules.ts'
import { composed, importedCodeFault } from '../../codes/unusual-code.ts'
import { isPlainScript } from '../../codes/plain-script.ts'
import { destinationHash } from '../../store/destination-hash.ts'
import { aliasesAnswer, aliasesField } from '../aliases.ts'
import { destinationField } from '../destinations/destination-field.ts'
import { lineOfText, NOT_A_STRING, trueOrFalse } from '../../validation/field-rules.ts'
import { folderAnswer, folderName, tagNames, tagsAnswer } from '../labels/label-fields.ts'
import { utmField } from '../utm-parameters.ts'
import { OWNER_FIELDS } from './owner-fields.ts'
import { asSent, columnField, elsewhereField, onCreation, requestField, wholeList } from './link-field.ts'

/** In code points: an emoji is one character. */
export const TITLE_LENGTH_MAX = 255
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

/** That of a link which another program has made; see unusual-code.ts. What is reserved depends on its domain. */
export const importedCode = z
  .string(NOT_A_STRING)
  .transform(composed)
  .superRefine((code, context) => {
    const message = importedCodeFault(code)
    if (message !== undefined)
      context.addIssue({ code: 'custom', message, params: { code: 'code_characters' } })
  })

const MIXED_SCRIPTS = 'The :attribute mixes letters of several scripts, or could be mistaken for another one.'
const BETWEEN_WORDS = /[\s\p{P}]+/u
const isMixed = (code: string): boolean =>
  code.split(BETWEEN_WORDS).some((word) => /[^\x00-\x7f]/.test(word) && !isPlainScript(word.toLowerCase()))

/** That of a new link where the workspace allows any. */
export const unusualCode = importedCode.refine((code) => !isMixed(code), {
  error: MIXED_SCRIPTS,
  params: { code: 'code_characters' },
})

const UTM_DESCRIPTION =
  'UTM parameters to write into the query of `original_url`, in place of those that it has, if it begins with http or https. One that is absent stays as it is, null removes it.'
const UTM_COPY =
  'Beside a new `original_url`, all five as they are stored are taken for a copy of the response, and change nothing.'

const TAGS_DESCRIPTION =
  'Names of tags, compared without case. Those that the workspace does not have yet are created.'

const OWN_NAMES = Object.entries(OWNER_FIELDS).flatMap(([name, { equal }]) =>
  equal === 'ifSent' ? [name] : [],
)
const ONLY_IF_SENT = ['title', ...OWN_NAMES, 'tags', 'folder'].map((name) => `\`${name}\``).join(', ')

/** The fields that every link has, and what only requests say, by their names in requests. */
export const BASIC_FIELDS = {
  original_url: columnField({
    input: (rules) => ({
      creation: destinationField(rules).meta({
        description:
          'The destination: an absolute http or https URL, or one with a scheme of `DESTINATION_SCHEMES`, of at most 8,192 bytes after percent-encoding. Spaces and invisible characters at its ends are removed; spaces inside become `%20`. `url` is accepted as another name for the field.',
        example: 'https://example.com/launch',
      }),
      edit: destinationField(rules).optional().meta({ example: 'https://example.com/new' }),
    }),
    inBulk: false,
    column: 'original_url',
    isText: true,
    store: ({ text }) => text,
    alsoStored: {
      // Null if it equals original_url, which saves space in most rows.
      target_url: { isText: true, store: ({ text, href }) => (href === text ? null : href) },
      destination_hash: { isText: false, store: ({ href }) => destinationHash(href) },
    },
    show: asSent,
    answer: z.string().meta({
      description: 'The destination, as it was sent, without spaces.',
      example: 'https://example.com/launch',
    }),
    isRouted: false,
    publishedKeys: 'allowed',
    equal: 'apart',
    history: 'version',
  }),
  title: columnField({
    input: () => ({
      creation: title
        .nullish()
        .transform((text) => text ?? '')
        .meta({ description: 'A label for people.', example: 'Launch page' }),
      edit: title
        .nullable()
        .transform((text) => text ?? '')
        .optional()
        .meta({ description: 'null clears it.' }),
    }),
    inBulk: false,
    column: 'title',
    isText: true,
    store: asSent,
    show: asSent,
    answer: z.string().meta({ description: "The label; '' when there is none.", example: 'Launch page' }),
    isRouted: false,
    publishedKeys: 'allowed',
    equal: 'ifSent',
    history: 'version',
  }),
  custom_code: requestField({
    ...onCreation(
      customCode
        .nullish()
        .transform((code) => code ?? undefined)
        .meta({
          description:
            'The code to use; one is assigned when it is absent. Case counts. It never passes to another account.',
          example: 'launch',
        }),
    ),
    publishedKeys: 'allowed',
  }),
  aliases: elsewhereField({
    ...wholeList(
      aliasesField(customCode),
      {
        creation: 'Up to 10 more codes that open the link. Same rules as for the code.',
        edit: 'All aliases of the link: the list replaces the one before. A code that is removed stays yours.',
      },
      // It may have imported ones; see refuseUnusualAliases.
      aliasesField(importedCode),
    ),
    inBulk: false,
    answer: aliasesAnswer,
    publishedKeys: 'refused',
    history: 'version',
  }),
  is_active: columnField({
    input: () => ({
      creation: trueOrFalse
        .nullish()
        .transform((isActive) => isActive ?? true)
        .meta({ description: 'Whether it redirects from the start; true when absent.' }),
      edit: trueOrFalse.optional(),
    }),
    inBulk: true,
    column: 'is_active',
    isText: false,
    store: Number,
    show: (stored) => stored === 1,
    answer: z
      .boolean()
      .meta({ description: "Its owner's switch: false while the link is disabled.", example: true }),
    isRouted: false,
    publishedKeys: 'refused',
    equal: 'apart',
    history: 'version',
  }),
  tags: elsewhereField({
    ...wholeList(tagNames, {
      creation: TAGS_DESCRIPTION,
      edit: `${TAGS_DESCRIPTION} The list replaces the one before.`,
    }),
    inBulk: true,
    answer: tagsAnswer,
    publishedKeys: 'refused',
    history: 'auditOnly',
  }),
  folder: elsewhereField({
    input: () => ({ creation: folderName, edit: folderName }),
    inBulk: true,
    answer: folderAnswer,
    publishedKeys: 'refused',
    history: 'auditOnly',
  }),
  // Kept in `original_url`.
  utm: requestField({
    input: () => ({
      creation: utmField.meta({ description: UTM_DESCRIPTION }),
      edit: utmField.meta({ description: `${UTM_DESCRIPTION} ${UTM_COPY}` }),
    }),
    publishedKeys: 'allowed',
  }),
  domain: requestField({
    ...onCreation(
      z
        .string(NOT_A_STRING)
        .max(HOST_LENGTH_MAX, `The :attribute may not be greater than ${HOST_LENGTH_MAX} characters.`)
        .nullish()
        .meta({
          description:
            'The host of its short URL: a verified domain of the workspace, or one that the operator offers. Absent: the default domain of the workspace. It cannot be changed later.',
          example: 'go.example.com',
        }),
    ),
    publishedKeys: 'allowed',
  }),
  fetch_title: requestField({
    ...onCreation(
      trueOrFalse.nullish().meta({
        description:
          'Whether to fill an empty title with that of the page, a little later: the response does not wait for it. The title stays empty if the page has none or cannot be reached, after a restart, and beyond 240 pages a minute.',
      }),
    ),
    publishedKeys: 'refused',
  }),
  reuse_existing: requestField({
    ...onCreation(
      trueOrFalse.nullish().meta({
        description: `true: an equal link is returned, with 200, instead of creating a second one. Equal: the same destination, active and not archived, and the same in every field that visitors notice; ${ONLY_IF_SENT} and codes only count if they are sent. A link with a password is never equal. Of the links to one destination, the latest 100 of a domain are compared.`,
      }),
    ),
    publishedKeys: 'refused',
  }),
}
