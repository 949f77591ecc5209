import { z } from 'zod'
import { linkPassword } from '../links/link-password.ts'
import { choice, time } from '../validation/field-rules.ts'
import { ALL_PANELS, DEFAULT_PANELS, type Panel, panelsOf, type ShareKind } from './panels.ts'

const inOrder = (panels: readonly Panel[]): Panel[] => ALL_PANELS.filter((panel) => panels.includes(panel))

const panelList = (kind: ShareKind) => {
  const names = panelsOf(kind)
  return z
    .array(choice(names), 'The :attribute must be an array.')
    .max(names.length, `The :attribute may not have more than ${names.length} items.`)
    .transform(inOrder)
    .meta({
      description: `What visitors see in addition to the number of clicks: ${names.map((name) => `\`${name}\``).join(', ')}. A list replaces the one before.`,
      example: ['clicks', 'countries', 'sources'],
    })
}

const endsAt = time.nullable().optional().meta({
  description: 'When the page ends, in the future; null: it does not. ISO 8601 with its zone.',
  format: 'date-time',
  example: '2027-01-01T00:00:00Z',
})

const password = linkPassword.nullable().optional().meta({
  description: 'What visitors have to enter to see the page; null: nothing. It is stored as a hash.',
  example: 'open sesame',
})

/** The bodies of requests about the page of a link, tag or folder. */
export const shareInputs = (kind: ShareKind) => ({
  newShare: z.object({
    panels: panelList(kind).default([...DEFAULT_PANELS]),
    ends_at: endsAt,
    password,
  }),
  edit: z.object({ panels: panelList(kind).optional(), ends_at: endsAt, password }),
})

export type NewShare = z.output<ReturnType<typeof shareInputs>['newShare']>
export type ShareEdit = z.output<ReturnType<typeof shareInputs>['edit']>
