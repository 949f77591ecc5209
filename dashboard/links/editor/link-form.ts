import type {
  LinkEditInput,
  LinkView,
  NewLinkInput,
} from '../../../src/http/dashboard-api/dashboard-types.ts'
import { withScheme } from '../pasted-url.ts'

/** The link has a password, and keeps it. It is never shown. */
export const STORED = true

/** What the fields of the editor hold, by the names of the API. */
export type LinkForm = {
  original_url: string
  custom_code: string
  title: string
  notes: string
  /** `2026-12-01T09:00` in the browser's time zone; empty: none. */
  starts_at: string
  expires_at: string
  /** Digits; empty: no limit. */
  max_clicks: string
  /** Null: visitors see a notice. */
  fallback_url: string | null
  /** Null: none. */
  password: string | typeof STORED | null
  social_title: string
  social_description: string
  social_image_url: string
  forward_query: boolean
  redirect_status: string
  external_id: string
  /** Codes, with spaces between them. */
  aliases: string
  archived: boolean
}

export type FieldName = keyof LinkForm

export const newForm = (originalUrl: string): LinkForm => ({
  original_url: originalUrl,
  custom_code: '',
  title: '',
  notes: '',
  starts_at: '',
  expires_at: '',
  max_clicks: '',
  fallback_url: null,
  password: null,
  social_title: '',
  social_description: '',
  social_image_url: '',
  forward_query: false,
  redirect_status: '302',
  external_id: '',
  aliases: '',
  archived: false,
})

export const formOf = (link: LinkView): LinkForm => ({
  original_url: link.original_url,
  custom_code: link.short_code,
  title: link.title,
  notes: link.notes ?? '',
  starts_at: localTime(link.starts_at),
  expires_at: localTime(link.expires_at),
  max_clicks: String(link.max_clicks ?? ''),
  fallback_url: link.fallback_url,
  password: link.has_password ? STORED : null,
  social_title: link.social_title ?? '',
  social_description: link.social_description ?? '',
  social_image_url: link.social_image_url ?? '',
  forward_query: link.forward_query,
  redirect_status: String(link.redirect_status),
  external_id: link.external_id ?? '',
  aliases: link.aliases.join(' '),
  archived: link.archived,
})

export const changedFields = (before: LinkForm, after: LinkForm): FieldName[] =>
  (Object.keys(after) as FieldName[]).filter((name) => after[name] !== before[name])

const trimmedOrNull = (text: string) => text.trim() || null
const url = (text: string) => withScheme(text.trim())

/** How each field is sent. */
const SENT: { [Name in FieldName]: (value: LinkForm[Name]) => unknown } = {
  original_url: url,
  custom_code: (code) => code || undefined,
  title: trimmedOrNull,
  notes: trimmedOrNull,
  starts_at: isoTime,
  expires_at: isoTime,
  max_clicks: countOrNull,
  fallback_url: (text) => (text === null ? null : url(text)),
  password: (text) => text,
  social_title: trimmedOrNull,
  social_description: trimmedOrNull,
  social_image_url: (text) => (text.trim() === '' ? null : url(text)),
  forward_query: (isOn) => isOn,
  redirect_status: Number,
  external_id: trimmedOrNull,
  aliases: codesOf,
  archived: (isOn) => isOn,
}

/** Fields that were not touched are not sent: times may be more exact than the form shows. */
export const editInput = (before: LinkForm, after: LinkForm): LinkEditInput =>
  Object.fromEntries(changedFields(before, after).map((name) => [name, sent(after, name)]))

export const newLinkInput = (form: LinkForm): NewLinkInput => ({
  ...editInput(newForm(''), form),
  original_url: url(form.original_url),
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

/** UTC, from the browser's time zone. */
function isoTime(local: string): string | null {
  const ms = Date.parse(local)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

function localTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const [month, day, hours, minutes] = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  )
  return `${at.getFullYear()}-${month}-${day}T${hours}:${minutes}`
}
