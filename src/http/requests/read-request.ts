import { type FieldErrors, invalid, InvalidItems, Refusal } from '../../errors/refusal.ts'
import { createHmac } from 'node:crypto'
import { type IdempotentRequest, readIdempotencyKey } from '../../links/idempotency.ts'
import { BODY_BYTES_MAX } from '../api-server/read-body.ts'
import { mergedSentences } from '../../errors/field-codes.ts'
import { isObject } from '../../validation/is-object.ts'

/** `/api/links/{short_code}` as Hono spells it. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Path and query must be percent-encoded UTF-8. The path must not contain a NUL. */
export function refuseBadEncoding(target: string): void {
  try {
    decodeURIComponent(target)
  } catch {
    throw new Refusal('url_malformed', 'The URL is not percent-encoded correctly.')
  }
  // No name contains one, and PostgreSQL rejects a text that does.
  if (/^[^?#]*%00/.test(target)) throw new Refusal('not_found', 'Not found.')
}

/** A request body, as it was read before the request came here. */
export type Incoming = ArrayBuffer | 'too-large' | undefined

/** The body of an endpoint that takes bytes; empty without one. */
export function readBytes(body: Incoming): Uint8Array {
  if (body === 'too-large') throw tooLarge()
  return new Uint8Array(body ?? [])
}

const tooLarge = () =>
  new Refusal('body_too_large', `The body must not be larger than ${BODY_BYTES_MAX} bytes.`)

/** The JSON object of a request's body. */
export function readInput(contentType: string | undefined, body: Incoming): Record<string, unknown> {
  if (body === 'too-large') throw tooLarge()
  if (body === undefined || body.byteLength === 0)
    throw new Refusal('body_malformed', 'The body is empty. Send a JSON object.')
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new Refusal('body_not_json', 'The body must be JSON. Send Content-Type: application/json.')
  }
  const value = parseJson(body)
  if (!isObject(value)) throw new Refusal('body_malformed', 'The body must be a JSON object.')
  return value
}

function parseJson(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal('body_malformed', 'The body is not valid JSON in UTF-8.')
  }
}

type RequestLine = { method: string; path: string; header(name: string): string | undefined }
/** `name`: tells the senders of a workspace apart. `secret`: what the sender proved who it is with, which the store does not know. */
type Sender = { name: string; secret: string }

/** What identifies a repeated request. Undefined without an Idempotency-Key. */
export function readIdempotent(
  request: RequestLine,
  body: Incoming,
  sender: Sender,
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(request.header('idempotency-key'))
  if (key === undefined) return undefined
  // Kept for a day. Nobody can guess a password in the body from it, since the secret is long and random.
  const bytes = new Uint8Array(body instanceof ArrayBuffer ? body : [])
  const fingerprint = createHmac('sha256', sender.secret).update(bytes).digest('hex')
  return { endpoint: `${request.method} ${request.path} by ${sender.name}`, key, fingerprint }
}

type Readers = Record<string, () => unknown>
type Values<Names extends Readers> = { [Name in keyof Names]: Awaited<ReturnType<Names[Name]>> }

/** Reads values that do not depend on each other, so that one refusal names the errors of all of them. */
export async function readTogether<Names extends Readers>(readers: Names): Promise<Values<Names>> {
  // Pairs: an unknown field may have a name that every object has, such as `__proto__`.
  const errors: [field: string, sentences: string[]][] = []
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = await read()
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      errors.push(...Object.entries(error.fields))
    }
  }
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  return values as Values<Names>
}

/** For `catch`: what is wrong with an item of this list is named by its place and its field: `links.3.title`. */
export const namedIn =
  (list: string) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidItems)) throw error
    throw invalid(
      Object.fromEntries(
        error.faults.map(({ index, field, sentences }) => [`${list}.${index}.${field}`, sentences]),
      ),
    )
  }

/** For `catch`: the items of this list only name what is changed, so all that is wrong is wrong with the item: `short_codes.3`. */
export const namedWhole =
  (list: string) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidItems)) throw error
    const fields: FieldErrors = {}
    for (const { index, sentences } of error.faults) {
      const name = `${list}.${index}`
      fields[name] = mergedSentences({ before: fields[name] ?? [], sentences })
    }
    throw invalid(fields)
  }

/** The `{id}` of a path. Anything but a number matches nothing. */
export function idOf(params: Record<string, string>): number {
  const text = params.id ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not_found', 'Not found.')
  return Number(text)
}
