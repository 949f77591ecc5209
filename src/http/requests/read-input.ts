import { createHash } from 'node:crypto'
import { type IdempotentRequest, readIdempotencyKey } from '../../links/idempotency.ts'
import { Refusal } from '../../errors/refusal.ts'
import { BODY_BYTES_MAX } from '../api-server/read-body.ts'

/** A request body, as it was read before the request came here. */
export type Incoming = ArrayBuffer | 'too-large' | undefined

/** The JSON object of a request's body. */
export function readInput(contentType: string | undefined, body: Incoming): Record<string, unknown> {
  if (body === 'too-large')
    throw new Refusal('too-large', `The body must not be larger than ${BODY_BYTES_MAX} bytes.`)
  if (body === undefined || body.byteLength === 0)
    throw new Refusal('malformed', 'The body is empty. Send a JSON object.')
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new Refusal('not-json', 'The body must be JSON. Send Content-Type: application/json.')
  }
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('malformed', 'The body must be a JSON object.')
  }
  return value as Record<string, unknown>
}

function parseJson(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON in UTF-8.')
  }
}

/** What identifies a repeated request. Undefined without an Idempotency-Key. */
export function readIdempotent(
  request: { method: string; path: string; header(name: string): string | undefined },
  body: Incoming,
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(request.header('idempotency-key'))
  if (key === undefined) return undefined
  const fingerprint = createHash('sha256').update(withoutPasswords(body)).digest('hex')
  return { endpoint: `${request.method} ${request.path}`, key, fingerprint }
}

/** The fingerprint is kept for a day: with a password in it, anyone with a copy of the database could guess the password. */
function withoutPasswords(body: Incoming): Uint8Array | string {
  if (!(body instanceof ArrayBuffer)) return ''
  let hasPassword = false
  const hide = (name: string, value: unknown) => {
    if (name !== 'password' || typeof value !== 'string') return value
    hasPassword = true
    return ''
  }
  try {
    const text = JSON.stringify(parseJson(body), hide)
    if (hasPassword) return text
  } catch {
    // Not stored: it is refused.
  }
  return new Uint8Array(body)
}
