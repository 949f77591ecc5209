import type { z } from 'zod'
import type { explainedVisit } from '../../http/api/endpoints/explained-visit.ts'
import type { listParameters, pageParameters } from '../../http/requests/paged-list.ts'
import { type FieldOption, flag, number, text, texts } from './field-options.ts'

// As for the fields of links: the types demand an option for each parameter of the API.

type OptionsFor<Parameters extends z.ZodType> = Record<keyof z.input<Parameters> & string, FieldOption>

export const PAGE_PARAMETERS = {
  page: number('Default: 1.'),
  per_page: number('How many a page has, up to 100.'),
} satisfies OptionsFor<typeof pageParameters>

export const LIST_PARAMETERS = {
  search: text('text', 'Only links with these words in title, destination, codes or notes.'),
  status: texts('status', 'active, disabled, scheduled, expired, limit_reached or blocked; any of them.'),
  tag: texts('name', 'Only links with this tag, or any of several.'),
  tag_mode: text('mode', 'all: only links with all of the tags.'),
  folder: texts('name', 'Only links in this folder, or any of several.'),
  domain: texts('host', 'Only links on this domain, or any of several.'),
  external_id: text('text', 'Only the link with this ID of yours.'),
  id: texts('number', 'Only the link with this ID, or any of several.'),
  needs_attention: flag('Only links that are blocked, end soon or are about to reach their limit.', 'true'),
  created_by: texts('number', 'Only links that the user with this ID created, or any of several.'),
  created_from: text('time', 'Only links created then or later, in ISO 8601 with its zone.'),
  created_to: text('time', 'Only links created before then.'),
  expires_before: text('time', 'Only links that end before then, or have ended.'),
  archived: text('mode', 'include: archived links too. only: nothing else.'),
  sort: text('field', 'created_at (default), clicks, title or last_clicked_at.'),
  order: text('order', 'asc or desc.'),
  ...PAGE_PARAMETERS,
} satisfies OptionsFor<typeof listParameters>

export const VISIT_PARAMETERS = {
  country: text('code', 'The country of the visitor, in ISO 3166: DE.'),
  user_agent: text('text', 'The User-Agent header, for device, system and browser.'),
  language: text('text', 'The Accept-Language header: de-AT,de;q=0.9.'),
  at: text('time', 'When, in ISO 8601 with its zone; default: now.'),
  query: text('text', 'The query of the short URL: utm_source=news.'),
} satisfies OptionsFor<typeof explainedVisit>
