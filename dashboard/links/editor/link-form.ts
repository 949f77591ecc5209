import type {
  LinkEditInput,
  LinkView,
  NewLinkInput,
} from '../../../src/http/dashboard-api/types/link-types.ts'
import { tagsInput } from '../labels/tags-input.ts'
import { withScheme } from '../pasted-url.ts'
import { areSameRules, formOfRules, type RuleForm, rulesInput } from './rules/rule-form.ts'

/** The link has a password, and keeps it. It is never shown. */
export const STORED = true

/** What the fields of the editor hold, by the names of the API. */
export type LinkForm = {
  original_url: string
  /** '': the default of the workspace. */
  domain: string
  custom_code: string
  title: string
  tags: readonly string[]
  /** '': none. */
  folder: string
  notes: string
  /** With its zone, as it is sent; empty: none. */
  starts_at: string
  expires_at: string
  /** Digits; empty: no limit. */
  max_clicks: string
  /** Null: visitors see a notice. */
  fallback_url: string | null
  /** Null: none. */
  password: string | typeof STORED | null
  rules: RuleForm[]
  social_title: string
  social_description: string
  social_image_url: string
  forward_query: boolean
  redirect_status: string
  external_id: string
  /** Codes, with spaces between them. */
  aliases: string
  archived: boolean
  /** Set in the QR designer; a duplicate has it too. */
  qr_style: LinkView['qr_style']
}

export type FieldName = keyof LinkForm

export const newForm = (originalUrl: string): LinkForm => ({
  original_url: originalUrl,
  domain: '',
  custom_code: '',
  title: '',
  tags: [],
  folder: '',
  notes: '',
  starts_at: '',
  expires_at: '',
  max_clicks: '',
  fallback_url: null,
  password: null,
  rules: [],
  social_title: '',
  social_description: '',
  social_image_url: '',
  forward_query: false,
  redirect_status: '302',
  external_id: '',
  aliases: '',
  archived: false,
  qr_style: null,
})

export const formOf = (link: LinkView): LinkForm => ({
  original_url: link.original_url,
  domain: link.domain,
  custom_code: link.short_code,
  title: link.title,
  tags: link.tags,
  folder: link.folder ?? '',
  notes: link.notes ?? '',
  starts_at: link.starts_at ?? '',
  expires_at: link.expires_at ?? '',
  max_clicks: String(link.max_clicks ?? ''),
  fallback_url: link.fallback_url,
  password: link.has_password ? STORED : null,
  rules: formOfRules(link.rules),
  social_title: link.social_title ?? '',
  social_description: link.social_description ?? '',
  social_image_url: link.social_image_url ?? '',
  forward_query: link.forward_query,
  redirect_status: String(link.redirect_status),
  external_id: link.external_id ?? '',
  aliases: link.aliases.join(' '),
  archived: link.archived,
  qr_style: link.qr_style,
})

/** What a duplicate begins with: all but what only one link can have. */
export const copyOf = (link: LinkView): LinkForm => ({
  ...formOf(link),
  ...{ custom_code: '', aliases: '', external_id: '', password: null, archived: false },
})

export const changedFields = (before: LinkForm, after: LinkForm): FieldName[] =>
  (Object.keys(after) as FieldName[]).filter((name) => {
    if (name === 'rules') return !areSameRules(before.rules, after.rules)
    // Names have no line breaks.
    if (name === 'tags') return tagsInput(before.tags).join('\n') !== tagsInput(after.tags).join('\n')
    return after[name] !== before[name]
  })

const trimmedOrNull = (text: string) => text.trim() || null
/** How each field is sent. */
const SENT: { [Name in FieldName]: (value: LinkForm[Name]) => unknown } = {
  original_url: withScheme,
  domain: (host) => host || undefined,
  custom_code: (code) => code || undefined,
  title: trimmedOrNull,
  tags: tagsInput,
  folder: trimmedOrNull,
  notes: trimmedOrNull,
  starts_at: trimmedOrNull,
  expires_at: trimmedOrNull,
  max_clicks: countOrNull,
  fallback_url: (text) => (text === null ? null : withScheme(text)),
  password: (text) => text,
  rules: rulesInput,
  social_title: trimmedOrNull,
  social_description: trimmedOrNull,
  social_image_url: (text) => (text.trim() === '' ? null : withScheme(text)),
  forward_query: (isOn) => isOn,
  redirect_status: Number,
  external_id: trimmedOrNull,
  aliases: codesOf,
  archived: (isOn) => isOn,
  qr_style: (style) => style,
}

/** Fields that were not touched are not sent. */
export const editInput = (before: LinkForm, after: LinkForm): LinkEditInput =>
  Object.fromEntries(changedFields(before, after).map((name) => [name, sent(after, name)]))

export const newLinkInput = (form: LinkForm): NewLinkInput => ({
  ...editInput(newForm(''), form),
  original_url: withScheme(form.original_url),
})

const sent = <Name extends FieldName>(form: LinkForm, name: Name) => SENT[name](form[name])

/** What is no number is sent as it is, so that the server says so. */
function countOrNull(text: string): unknown {
  const digits = text.trim()
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : digits
}

/** People separate them with commas too. */
export function codesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '')
}
