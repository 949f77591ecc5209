import type { Incoming } from '../../requests/read-request.ts'

const BODY_BYTES_MAX = 4_096

/** What the page was requested with. */
export type ShareForm = {
  range?: string | undefined
  token?: string | undefined
  password?: string | 'too-large' | undefined
}

/**
 * The fields of the form, none if another site has sent it: its visitors would use up their attempts without knowing. Browsers send no
 * Origin from a page without a referrer, so only what they say about the site counts.
 */
export function readShareForm(header: (name: string) => string | undefined, body: Incoming): ShareForm {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return {}
  const type = header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || body === undefined) return {}
  if (body === 'too-large' || body.byteLength > BODY_BYTES_MAX) return { password: 'too-large' }
  const fields = new URLSearchParams(new TextDecoder().decode(body))
  const valueOf = (name: string) => fields.get(name) || undefined
  const range = valueOf('range')
  return { ...(range && { range }), token: valueOf('token'), password: valueOf('password') }
}
