import type { LinkEditInput, LinkView, NewLinkInput } from '../../../src/http/endpoints/browser-types.ts'
import { ofPlainTexts, type PlainText } from '../field-strings.ts'
import { tagsInput } from '../labels/label-queries.ts'
import { withScheme } from '../added-scheme.tsx'
import { areSameRules, formOfRules, type RuleForm, rulesInput } from './rules/rule-form.ts'

/** The link has a password, and keeps it. It is never shown. */
export const STORED = true

type LinkText = 'notes' | 'starts_at' | 'expires_at' | 'social_title' | 'social_description' | PlainText
/** What becomes of the visitor's query. */
export type QueryChoice = 'off' | 'add' | 'replace'
type EditorField<Value> = {
  /** Of a new link. */
  empty: Value
  of(link: LinkView): Value
  sent(value: Value): unknown
}

const trimmedOrNull = (text: string) => text.trim() || null
const field = <Value>(field: EditorField<Value>) => field
const text = (name: LinkText) =>
  field<string>({ empty: '', of: (link) => link[name] ?? '', sent: trimmedOrNull })
const isOn = (name: 'forward_path' | 'archived') =>
  field<boolean>({ empty: false, of: (link) => link[name], sent: (on) => on })

/** What the fields of the editor hold, by the names of the API, and how it is sent. */
const FIELDS = {
  original_url: field<string>({ empty: '', of: (link) => link.original_url, sent: withScheme }),
  // '': the default of the workspace.
  domain: field<string>({ empty: '', of: (link) => link.domain, sent: (host) => host || undefined }),
  custom_code: field<string>({ empty: '', of: (link) => link.short_code, sent: (code) => code || undefined }),
  title: field<string>({ empty: '', of: (link) => link.title, sent: trimmedOrNull }),
  tags: field<readonly string[]>({ empty: [], of: (link) => link.tags, sent: tagsInput }),
  folder: field<string>({ empty: '', of: (link) => link.folder ?? '', sent: trimmedOrNull }),
  notes: text('notes'),
  // With its zone, as it is sent.
  starts_at: text('starts_at'),
  expires_at: text('expires_at'),
  // Digits.
  max_clicks: field<string>({
    empty: '',
    of: (link) => String(link.max_clicks ?? ''),
    sent: countOrNull,
  }),
  // Null: visitors see a notice.
  fallback_url: field<string | null>({
    empty: null,
    of: (link) => link.fallback_url,
    sent: (url) => (url === null ? null : withScheme(url)),
  }),
  password: field<string | typeof STORED | null>({
    empty: null,
    of: (link) => (link.has_password ? STORED : null),
    sent: (password) => password,
  }),
  rules: field<RuleForm[]>({ empty: [], of: (link) => formOfRules(link.rules), sent: rulesInput }),
  social_title: text('social_title'),
  social_description: text('social_description'),
  social_image_url: field<string>({
    empty: '',
    of: (link) => link.social_image_url ?? '',
    sent: (url) => (url.trim() === '' ? null : withScheme(url)),
  }),
  forward_query: field<QueryChoice>({
    empty: 'off',
    of: ({ forward_query: forwards }) => (forwards === 'replace' ? forwards : forwards ? 'add' : 'off'),
    sent: (choice) => (choice === 'replace' ? choice : choice === 'add'),
  }),
  forward_path: isOn('forward_path'),
  redirect_status: field<string>({
    empty: '302',
    of: (link) => String(link.redirect_status),
    sent: Number,
  }),
  ...ofPlainTexts(text),
  // Codes, with spaces between them.
  aliases: field<string>({ empty: '', of: (link) => link.aliases.join(' '), sent: codesOf }),
  archived: isOn('archived'),
  // Set in the QR designer; a duplicate has it too.
  qr_style: field<LinkView['qr_style']>({
    empty: null,
    of: (link) => link.qr_style,
    sent: (style) => style,
  }),
} satisfies Record<
  // A switch of the list, a part of the destination, and what only programs ask for.
  Exclude<keyof NewLinkInput, 'is_active' | 'utm' | 'fetch_title' | 'reuse_existing'>,
  unknown
>

type Fields = typeof FIELDS
export type FieldName = keyof Fields
export type LinkForm = { [Name in FieldName]: ReturnType<Fields[Name]['of']> }

const formFrom = (valueOf: (field: EditorField<unknown>) => unknown) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, valueOf(field)])) as LinkForm

export const newForm = (originalUrl: string): LinkForm => ({
  ...formFrom(({ empty }) => empty),
  original_url: originalUrl,
})

export const formOf = (link: LinkView): LinkForm => formFrom((field) => field.of(link))

/** What a duplicate begins with: all but what only one link can have. */
export const copyOf = (link: LinkView): LinkForm => ({
  ...formOf(link),
  custom_code: '',
  aliases: '',
  external_id: '',
  password: null,
  archived: false,
})

export const changedFields = (before: LinkForm, after: LinkForm): FieldName[] =>
  (Object.keys(after) as FieldName[]).filter((name) => {
    if (name === 'rules') return !areSameRules(before.rules, after.rules)
    // Names have no line breaks.
    if (name === 'tags') return tagsInput(before.tags).join('\n') !== tagsInput(after.tags).join('\n')
    return after[name] !== before[name]
  })

/** Fields that were not touched are not sent. */
export const editInput = (before: LinkForm, after: LinkForm): LinkEditInput =>
  Object.fromEntries(changedFields(before, after).map((name) => [name, inputOf(after, name)]))

export const newLinkInput = (form: LinkForm): NewLinkInput => ({
  ...editInput(newForm(''), form),
  original_url: withScheme(form.original_url),
})

const inputOf = (form: LinkForm, name: FieldName) => (FIELDS[name] as EditorField<unknown>).sent(form[name])

/** What is no number is sent as it is, so that the server says so. */
function countOrNull(text: string): unknown {
  const digits = text.trim()
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : digits
}

/** An imported one may have a comma. */
export function codesOf(text: string): string[] {
  return text.split(/\s+/).filter((code) => code !== '')
}
