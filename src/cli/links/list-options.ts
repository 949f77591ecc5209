import type { z } from 'zod'
import type { explainedVisit } from '../../http/endpoints/explained-visit.ts'
import { LIST_PARAMETERS } from '../../links/lists/list-parameters.ts'
import { isRepeatable, type pageParameters } from '../../validation/query-parameters.ts'
import { type FieldOption, type FieldOptions, flag, number, text, texts } from './field-options.ts'

// As for the fields of links: the types demand an option for each parameter of the API.

type OptionsFor<Parameters extends z.ZodType> = Record<keyof z.input<Parameters> & string, FieldOption>

export const PAGE_OPTIONS = {
  page: number('Default: 1.'),
  per_page: number('How many a page has, up to 100.'),
} satisfies OptionsFor<typeof pageParameters>

export const LIST_OPTIONS: FieldOptions = {
  ...Object.fromEntries(
    Object.entries(LIST_PARAMETERS).map(([name, { schema, cli }]) => [name, optionOf(schema, cli)]),
  ),
  ...PAGE_OPTIONS,
}

function optionOf(schema: z.ZodType, { value, meaning }: { value?: string; meaning: string }): FieldOption {
  if (value === undefined) return flag(meaning, 'true')
  return isRepeatable(schema) ? texts(value, meaning) : text(value, meaning)
}

export const VISIT_OPTIONS = {
  country: text('code', 'The country of the visitor, in ISO 3166: DE.'),
  user_agent: text('text', 'The User-Agent header, for device, system and browser.'),
  language: text('text', 'The Accept-Language header: de-AT,de;q=0.9.'),
  at: text('time', 'When, in ISO 8601 with its zone; default: now.'),
  traffic: text('kind', 'own: from a browser or network that the workspace does not count.'),
  path: text('path', 'What follows the code, of a link that opens with a path: /page/2.'),
  query: text('text', 'The query of the short URL: utm_source=news.'),
} satisfies OptionsFor<typeof explainedVisit>
