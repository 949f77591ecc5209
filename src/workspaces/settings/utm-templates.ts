import { z } from 'zod'
import { lineOfText } from '../../validation/field-rules.ts'
import { boundedList } from '../../links/bounded-list.ts'
import { utmValue } from '../../links/utm-parameters.ts'

const TEMPLATES_MAX = 50
const NAME_LENGTH_MAX = 60

const value = utmValue.transform((text) => (text === '' || text === undefined ? null : text))

const template = z.strictObject(
  {
    name: lineOfText(NAME_LENGTH_MAX).refine(
      (name) => name.trim() !== '',
      'The :attribute field is required.',
    ),
    source: value,
    medium: value,
    campaign: value,
    term: value,
    content: value,
  },
  'The :attribute must be an object.',
)

/** Names of templates are compared without regard to case. */
const foldedName = ({ name }: { name: string }) => name.trim().toLowerCase()

export const utmTemplates = boundedList(template, { min: 0, max: TEMPLATES_MAX }).superRefine(
  (templates, context) => {
    const names = new Set<string>()
    for (const [index, template] of templates.entries()) {
      const name = foldedName(template)
      if (names.has(name))
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'The :attribute field has a duplicate value.',
        })
      names.add(name)
    }
  },
)

const text = z.string().nullable()

export const utmTemplatesAnswer = z.array(
  z.strictObject({
    name: z.string(),
    source: text,
    medium: text,
    campaign: text,
    term: text,
    content: text,
  }),
)
