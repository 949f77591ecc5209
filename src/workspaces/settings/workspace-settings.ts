import { z } from 'zod'
import type { Action } from '../../access/roles-and-scopes.ts'
import { CODE_CHARACTERS } from '../../codes/code-rules.ts'
import {
  CODE_CHARACTERS_CHOICES,
  CODE_PREFIX_LENGTH_MAX,
  CODE_STYLE_LENGTHS,
} from '../../codes/code-style.ts'
import { choice, hexColor, lineOfText, NOT_A_STRING, trueOrFalse } from '../../validation/field-rules.ts'
import { boundedList } from '../../links/bounded-list.ts'
import { uncountedNetworks } from '../../links/own-traffic/uncounted-networks.ts'
import { timezoneName } from '../../links/rules/condition-fields.ts'
import { qrStyle, qrStyleAnswer } from '../../links/qr-style/qr-style.ts'
import { utmValue } from '../../links/utm-parameters.ts'

// The one definition of each setting of a workspace. Validation, types, the permission, the responses and the OpenAPI document
// derive from it. In messages, `:attribute` stands for the name of the field; see fieldErrorsOf.

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

const utmTemplates = boundedList(template, { min: 0, max: TEMPLATES_MAX }).superRefine(
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

const utmTemplatesAnswer = z.array(
  z.strictObject({
    name: z.string(),
    source: text,
    medium: text,
    campaign: text,
    term: text,
    content: text,
  }),
)

const codeStyle = z
  .strictObject(
    {
      characters: choice(CODE_CHARACTERS_CHOICES),
      length: z.int('The :attribute must be a whole number.'),
      prefix: z
        .string(NOT_A_STRING)
        .refine(
          (prefix) => CODE_CHARACTERS.test(prefix) && prefix.length <= CODE_PREFIX_LENGTH_MAX,
          `The :attribute may have up to ${CODE_PREFIX_LENGTH_MAX} letters, digits, dashes and underscores.`,
        )
        .default(''),
    },
    'The :attribute must be an object.',
  )
  .superRefine(({ characters, length }, context) => {
    const { min, max } = CODE_STYLE_LENGTHS[characters]
    if (length < min || length > max)
      context.addIssue({
        code: 'custom',
        path: ['length'],
        message: `The :attribute must be between ${min} and ${max} ${characters === 'words' ? 'words' : 'characters'}.`,
      })
  })

const codeStyleAnswer = z.strictObject({
  characters: z.enum(CODE_CHARACTERS_CHOICES),
  length: z.int(),
  prefix: z.string(),
})

const COLORS_MAX = 8
/** Of one setting, as JSON in UTF-8. */
const SETTING_BYTES_MAX = 64 * 1024

/** What a setting is. `sent`: what is accepted; null there means `initial`, which holds until it is changed. */
type SettingKind<Value> = {
  sent: z.ZodType<Value>
  initial: Value | null
  /** What changing it needs. Everybody who sees the links sees the settings. */
  action: Action
  answer: z.ZodType
  description: string
  /** If it may be larger than other settings. */
  bytesMax?: number
}

const setting = <Value, Initial extends Value | null>(
  kind: SettingKind<Value> & { initial: Initial },
): Readonly<typeof kind> => kind

export const WORKSPACE_SETTINGS = {
  utm_templates: setting({
    sent: utmTemplates,
    initial: [],
    action: 'templates:write',
    answer: utmTemplatesAnswer,
    description: 'Up to 50 sets of UTM parameters by name, to choose from in the editor of a link.',
  }),
  qr_style: setting({
    sent: qrStyle,
    initial: null,
    action: 'templates:write',
    answer: qrStyleAnswer.nullable(),
    bytesMax: 192 * 1024,
    description:
      'The style of QR codes: what `/qr/{short_code}?style=workspace` draws, and the dashboard begins with. null: black squares on white.',
  }),
  brand_colors: setting({
    sent: boundedList(hexColor, { min: 0, max: COLORS_MAX }),
    initial: [],
    action: 'workspace:write',
    answer: z.array(z.string()),
    description: 'Up to 8 colors, such as #1a73e8.',
  }),
  preview_pages: setting({
    sent: trueOrFalse,
    initial: true,
    action: 'workspace:write',
    answer: z.boolean(),
    description: 'Whether a plus at the end of a short URL shows where it leads. If false, it answers 404.',
  }),
  code_style: setting({
    sent: codeStyle,
    initial: null,
    action: 'workspace:write',
    answer: codeStyleAnswer.nullable(),
    description:
      'How codes are made that are assigned: from letters and digits, digits, or English words, how many characters or words, and what they begin with. Where such codes run short, they get longer. A `code_prefix` of the API key is in place of the prefix. null: 7 letters and digits.',
  }),
  unusual_codes: setting({
    sent: trueOrFalse,
    initial: false,
    action: 'workspace:write',
    answer: z.boolean(),
    description:
      'Whether links may get codes and aliases such as only imported ones have: of 1 character up to 255 bytes, with dots, any script, emoji, and up to 5 parts between slashes. Words that mix scripts, or look like Latin ones, are refused.',
  }),
  uncounted_networks: setting({
    sent: uncountedNetworks,
    initial: [],
    action: 'workspace:write',
    answer: z.array(z.string()),
    description:
      'Up to 20 IP addresses and networks, such as that of an office, whose visits are not counted: `203.0.113.0/24`, `2001:db8::/48`.',
  }),
  count_visitor_utm: setting({
    sent: trueOrFalse,
    initial: false,
    action: 'workspace:write',
    answer: z.boolean(),
    description:
      'Whether clicks have the UTM parameters with which their short URL was opened, such as `https://go.example.com/launch?utm_source=poster`. Where it was opened with some, reports by UTM parameters count these and not those of the destination.',
  }),
  timezone: setting({
    sent: timezoneName,
    initial: null,
    action: 'workspace:write',
    answer: z.string().nullable(),
    description: 'The IANA time zone that the dashboard uses for schedules; null: that of each browser.',
  }),
}

export type SettingName = keyof typeof WORKSPACE_SETTINGS
export const SETTING_NAMES = Object.keys(WORKSPACE_SETTINGS) as SettingName[]

type Setting<Name extends SettingName> = (typeof WORKSPACE_SETTINGS)[Name]
export type SettingValue<Name extends SettingName> =
  z.output<Setting<Name>['sent']> | Extract<Setting<Name>['initial'], null>

type SettingChangeShape = {
  [Name in SettingName]: z.ZodOptional<
    z.ZodNullable<z.ZodType<SettingValue<Name>, z.input<Setting<Name>['sent']>>>
  >
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')

/** A request to change some of them. */
export const settingChanges = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const {
        sent,
        description,
        bytesMax = SETTING_BYTES_MAX,
      }: SettingKind<unknown> = WORKSPACE_SETTINGS[name]
      const bounded = sent.refine(
        (value) => bytesOf(value) <= bytesMax,
        `The :attribute may not be larger than ${bytesMax / 1024} KB.`,
      )
      return [name, bounded.nullish().meta({ description: `${description} null: as it was at first.` })]
    }),
  ) as SettingChangeShape,
)
export type SettingChanges = z.output<typeof settingChanges>
/** Before it is validated. */
export type SettingsInput = z.input<typeof settingChanges>

/** All of them, in responses. */
export const settingAnswers = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { answer, description, initial } = WORKSPACE_SETTINGS[name]
    return [name, answer.meta({ description, example: initial })]
  }),
) as { [Name in SettingName]: z.ZodType<SettingValue<Name>> }
export type WorkspaceSettings = { [Name in SettingName]: SettingValue<Name> }
