import { Refusal } from '../../errors/refusal.ts'
import type { LinkEditInput, NewLinkInput } from '../../links/link-fields.ts'
import { STATUSES_TEXT } from '../../links/redirect-status.ts'
import type { UtmName } from '../../links/utm-parameters.ts'
import type { Call } from '../command.ts'
import {
  CLEAR_OPTION,
  clearableNames,
  clearedFields,
  type FieldOption,
  type Fields,
  fieldsOf,
  flag,
  fromStdin,
  jsonFile,
  number,
  optionsOf,
  text,
  texts,
} from './field-options.ts'

// The types demand an option for each field in `link-fields.ts`, and none that is not there.

type Options<Names extends string> = Record<Names, FieldOption>

/** Of new links and of edits. */
const FIELDS = {
  title: text('text', 'A label for people.'),
  tags: { name: 'tag', ...texts('name', 'A tag. In an edit, the tags replace those that the link has.') },
  folder: text('name', 'The folder.'),
  notes: text('text', 'For you; visitors never see them.'),
  aliases: {
    name: 'alias',
    ...texts(
      'code',
      'An alias: one more code that opens the link. In an edit, they replace those that the link has.',
    ),
  },
  external_id: text('text', 'Your own ID for the link.'),
  starts_at: text('time', 'When it begins to redirect, in ISO 8601 with its zone: 2026-12-01T09:00:00Z.'),
  expires_at: text('time', 'When it stops redirecting.'),
  max_clicks: number('How many visitors are led to the destination, ever.'),
  fallback_url: text('url', 'Where visitors go before the start, after the end and over the limit.'),
  password: {
    name: 'password-stdin',
    ...fromStdin('Read the password that visitors have to enter from the standard input.'),
  },
  forward_query: flag("Pass on the visitor's query parameters."),
  forward_path: flag('Open the link with a path behind its code too, and pass that on: /launch/page/2.'),
  redirect_status: number(`The status of the redirect: ${STATUSES_TEXT}.`),
  rules: jsonFile('Redirect rules as a JSON list: see docs/redirect-rules.md.'),
  social_title: text('text', 'The title of the card in link previews.'),
  social_description: text('text', 'The text of that card.'),
  social_image_url: text('url', 'The picture of that card.'),
  qr_style: jsonFile('How its QR code looks, as a JSON object: colors, shapes, logo, text.'),
  archived: flag('Leave the link out of lists. It goes on redirecting.'),
} satisfies Options<Exclude<keyof LinkEditInput, 'original_url' | 'is_active' | 'utm'>>

/** The other value of that field, which is a switch for most links. */
const REPLACING = {
  forward_query: {
    name: 'replace-query',
    ...flag(
      "Pass on the visitor's query parameters, also instead of those of the same name in the destination.",
      'replace',
    ),
  },
} satisfies Partial<Options<keyof typeof FIELDS>>

const utm = (name: UtmName): FieldOption => ({
  name: `utm-${name}`,
  ...text('text', `The parameter utm_${name} of the destination.`),
})

const UTM_FIELDS = {
  source: utm('source'),
  medium: utm('medium'),
  campaign: utm('campaign'),
  term: utm('term'),
  content: utm('content'),
} satisfies Options<UtmName>

/** Beside those and the destination, which is an argument. */
const NEW_LINK_FIELDS = {
  custom_code: { name: 'code', ...text('code', 'The code; one is assigned without it.') },
  domain: text('host', 'The domain of its short URL; default: that of the workspace.'),
  is_active: { name: 'disabled', ...flag('Create it disabled.', false) },
  fetch_title: flag('Fill an empty title with that of the page, a little later.'),
  reuse_existing: flag('Return an equal link if there is one, instead of creating a second one.'),
} satisfies Options<Exclude<keyof NewLinkInput, 'original_url' | 'utm' | keyof typeof FIELDS>>

/** Beside those; disable and enable are commands. */
const EDIT_FIELDS = {
  original_url: { name: 'destination', ...text('url', 'Where it leads.') },
} satisfies Options<Exclude<keyof LinkEditInput, 'is_active' | 'utm' | keyof typeof FIELDS>>

export const NEW_LINK_OPTIONS = {
  ...optionsOf(NEW_LINK_FIELDS),
  ...optionsOf(FIELDS),
  ...optionsOf(REPLACING),
  ...optionsOf(UTM_FIELDS),
}
export const EDIT_OPTIONS = {
  ...optionsOf(EDIT_FIELDS),
  ...optionsOf(FIELDS),
  ...optionsOf(REPLACING),
  ...optionsOf(UTM_FIELDS),
  ...CLEAR_OPTION,
}

/** The body of a creation. */
export async function newLinkOf(call: Call): Promise<Fields> {
  const utm = await fieldsOf(UTM_FIELDS, call)
  return {
    original_url: call.words[0],
    ...(await fieldsOf({ ...NEW_LINK_FIELDS, ...FIELDS }, call)),
    ...(await fieldsOf(REPLACING, call)),
    ...unlessEmpty({ utm }),
  }
}

/** The body of an edit. */
export async function linkEditOf(call: Call): Promise<Fields> {
  refuseUnclearable(call)
  const fields = {
    ...(await fieldsOf({ ...EDIT_FIELDS, ...FIELDS }, call)),
    ...(await fieldsOf(REPLACING, call)),
  }
  const utm = await fieldsOf(UTM_FIELDS, call)
  const edit = {
    ...fields,
    ...clearedFields(FIELDS, fields, call),
    ...unlessEmpty({ utm: { ...utm, ...clearedFields(UTM_FIELDS, utm, call) } }),
  }
  if (Object.keys(edit).length > 0) return edit
  throw new Refusal('command_failed', 'Nothing is to be changed. tern link edit --help lists what can be.')
}

const unlessEmpty = ({ utm }: { utm: Fields }): Fields => (Object.keys(utm).length === 0 ? {} : { utm })

function refuseUnclearable(call: Call): void {
  const names = [...clearableNames(FIELDS), ...clearableNames(UTM_FIELDS)]
  const unknown = call.texts('clear').find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Refusal('command_failed', `--clear ${unknown} is not possible. It takes ${names.join(', ')}.`)
}
