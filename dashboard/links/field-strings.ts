import type { AuditOnlyName, VersionedName } from '../../src/http/endpoints/browser-types.ts'

/** The texts of the fields of a link that are the same for each of them. The types demand one for each field. */
export const fieldStrings = {
  /** What the history calls them. */
  versioned: {
    original_url: 'destination',
    title: 'title',
    is_active: 'link',
    aliases: 'aliases',
    starts_at: 'start',
    expires_at: 'end',
    max_clicks: 'click limit',
    fallback_url: 'fallback URL',
    forward_query: 'forwarding of the query string',
    forward_path: 'forwarding of the path',
    redirect_status: 'redirect status',
    has_password: 'password',
    rules: 'redirect rules',
    social_title: 'preview title',
    social_description: 'preview description',
    social_image_url: 'preview image',
  } satisfies Record<VersionedName, string>,
  /** What the audit log calls the others. */
  auditOnly: {
    tags: 'tags',
    folder: 'folder',
    notes: 'notes',
    archived: 'archive',
    external_id: 'external ID',
    qr_style: 'QR style',
  } satisfies Record<AuditOnlyName, string>,
  /** Texts that the editor asks for in a plain input. */
  inputs: {
    external_id: {
      label: 'External ID',
      hint: 'Your own ID for this link, for programs that use the API.',
      maxLength: 255,
    },
  },
}

/** A text that the editor asks for in a plain input. */
export type PlainText = keyof typeof fieldStrings.inputs
export const PLAIN_TEXTS = Object.keys(fieldStrings.inputs) as PlainText[]

/** The same for each plain text. */
export const ofPlainTexts = <Value>(valueOf: (name: PlainText) => Value) =>
  Object.fromEntries(PLAIN_TEXTS.map((name) => [name, valueOf(name)])) as Record<PlainText, Value>
