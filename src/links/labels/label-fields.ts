import { z } from 'zod'
import { boundedList } from '../bounded-list.ts'
import { lineOfText } from '../../validation/field-rules.ts'
import { COLORS, foldedName, type LabelKind } from './label.ts'

// What a link says about its tags and its folder, and what a tag or folder says about itself.

export const TAGS_MAX = 20
export const NAME_LENGTH_MAX: Record<LabelKind, number> = { tag: 50, folder: 60 }

/** They reorder the text around them, so a name with one could pass for another. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/

const nameOf = (kind: LabelKind) =>
  lineOfText(NAME_LENGTH_MAX[kind])
    .trim()
    .refine(
      (name) => !DIRECTION_CONTROLS.test(name),
      'The :attribute may not contain characters that change the direction of text.',
    )
    .refine((name) => name !== '', 'The :attribute may not be empty.')
    .meta({ minLength: 1, maxLength: NAME_LENGTH_MAX[kind] })

/** Each name once, without case, as it was sent first. */
const distinct = (names: readonly string[]): string[] =>
  [
    ...new Map(names.toReversed().map((name) => [foldedName({ kind: 'tag', name }), name])).values(),
  ].toReversed()

export const tagNames = boundedList(nameOf('tag'), { min: 0, max: TAGS_MAX }).transform(distinct)

export const folderName = nameOf('folder').nullable().optional().meta({
  description:
    'The name of a folder, compared without case; it is created if there is none. null: in no folder.',
})

/** The fields of an edit of many links, beside those of any edit. */
export const bulkLabels = {
  add_tags: tagNames.optional().meta({ description: 'Tags that the links get beside their own.' }),
  remove_tags: tagNames
    .optional()
    .meta({ description: 'Tags that are taken from the links that have them.' }),
}

/** In responses. */
export const tagsAnswer = z.array(z.string()).meta({
  description: 'The tags, in alphabetical order.',
  example: ['Winter 2026'],
})
export const folderAnswer = z
  .string()
  .nullable()
  .meta({ description: 'The folder; null: in none.', example: null })

/** In responses too. */
export const colorOf = z
  .number(`The :attribute must be a whole number from 0 to ${COLORS - 1}.`)
  .refine(
    (value) => Number.isInteger(value) && value >= 0 && value < COLORS,
    `The :attribute must be a whole number from 0 to ${COLORS - 1}.`,
  )
  .meta({ type: 'integer', minimum: 0, maximum: COLORS - 1, description: 'Its color in the dashboard.' })

/** The bodies of requests about labels themselves. */
export const labelInputs = (kind: LabelKind) => ({
  newLabel: z.object({ name: nameOf(kind), color: colorOf.optional() }),
  edit: z.object({ name: nameOf(kind).optional(), color: colorOf.optional() }),
})
