import { isDocumented, undocumentedParts } from '../rigs/http/documented-answer.ts'
import { chunksIn, contentOf, type RawAnswer } from '../rigs/http/raw-http.ts'

/** The request, and what the response must not contain. */
export type SentRequest = { method: string; path: string; isBroken: boolean; answersMax: number; key: string }

/** What Bun's own parser answers, without a body, to what is no HTTP: HTTP itself asks for 501 and 505 there. */
const PARSER_STATUSES = [400, 413, 414, 431, 501, 505]
/** How things are called inside. None of it is in what we send. */
const INSIDE =
  /\bat [\w.#<>]+ \(|node_modules|\.ts:\d|\bsqlite\b|SQLITE_|no such (table|column)|\bTypeError\b/i
const REDIRECTS = [301, 302, 303, 307, 308]
const BARE = ['total_links,total_clicks,active_users', 'status,timestamp,version', 'gpc,lastUpdate']

/** What is wrong with the answer; undefined when nothing is. */
export function problemOf(asked: SentRequest, answer: RawAnswer): string | undefined {
  if (answer.hasHung) return 'no answer'
  if (answer.text.includes(asked.key)) return 'the key came back'
  const { answers, rest } = answersIn(answer.text, asked.method)
  // Only the first response is read to its end.
  const isCut = answers.length > 0 && !answer.isClosed && rest.startsWith('HTTP/1.1 ')
  if (rest !== '' && !isCut) return 'something that is no HTTP'
  if (answers.length === 0 && !asked.isBroken) return 'closed without an answer'
  const ours = asked.isBroken ? answers.filter((each) => !isParsers(each)) : answers
  if (ours.length > asked.answersMax) return `${ours.length} answers`
  return ours.map((each) => internalError(asked, each)).find((fault) => fault !== undefined)
}

/** What the document says otherwise of the answer to valid HTTP. */
export function undocumentedPart({ method, path }: SentRequest, answer: RawAnswer): string | undefined {
  const { pathname, search } = new URL(`http://api${path}`)
  // HTTP allows no fragment in a request, so the document has no paths with one.
  if (path.includes('#') || !isDocumented(pathname) || answer.status === 0) return undefined
  const text = contentOf(answer)
  const { status, headers } = answer
  const received = { status, headers: Object.entries(headers), body: parsed(text) ?? text }
  return undocumentedParts({ method, path: pathname + search, ...received })[0]
}

const isParsers = ({ status, body }: One) => body === '' && PARSER_STATUSES.includes(status)

type One = { status: number; headers: Record<string, string>; body: string }

/** One after the other, by their lengths, up to something that is no whole answer. */
function answersIn(text: string, method: string): { answers: One[]; rest: string } {
  const answers: One[] = []
  let rest = text
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n')
    const [, status] = /^HTTP\/1\.1 (\d\d\d) [^\r]*\r\n/.exec(rest) ?? []
    if (headEnd === -1 || status === undefined) break
    const headers = headersIn(rest.slice(0, headEnd))
    const sent = rest.slice(headEnd + 4)
    const found = hasContent(method, Number(status)) ? bodyIn(sent, headers) : { body: '', length: 0 }
    if (found === undefined) break
    if (Number(status) >= 200) answers.push({ status: Number(status), headers, body: found.body })
    rest = sent.slice(found.length)
  }
  return { answers, rest }
}

/** Undefined if it has no end. */
function bodyIn(text: string, headers: One['headers']): { body: string; length: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(text)
  const length = Number(headers['content-length'] ?? 0)
  return text.length < length ? undefined : { body: text.slice(0, length), length }
}

const hasContent = (method: string, status: number) => method !== 'HEAD' && status >= 200 && status !== 304

function headersIn(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

function internalError({ method, path, isBroken }: SentRequest, answer: One): string | undefined {
  const { status, headers } = answer
  if (status < 200 || status >= 500) return `status ${status}`
  if (headers['x-content-type-options'] !== 'nosniff' || !headers['content-security-policy'])
    return 'headers are missing'
  const { pathname } = new URL(`http://api${path}`)
  const isApi = !isBroken && pathname.startsWith('/api/')
  if (isApi && !/^[0-9a-f-]{36}$/.test(headers['x-request-id'] ?? '')) return 'no request id'
  const type = headers['content-type'] ?? ''
  const isFile = status === 200 && /^\/api\/(?:export\/|analytics\/export$)/.test(pathname)
  if (isApi && !isFile && !type.startsWith('application/json'))
    return `an answer of the API of the type ${type}`
  if (method === 'HEAD') return undefined
  const body = contentOf(answer)
  if (status >= 400 && INSIDE.test(body)) return 'something of the inside'
  if (REDIRECTS.includes(status))
    return headers.location === undefined || body !== '' ? 'a bad redirect' : undefined
  // Pages that show a badge show what it says.
  const isBadge = status === 404 && pathname.endsWith('/badge.svg') && type.startsWith('image/svg+xml')
  return isBadge ? undefined : faultOfBody(status, type, body)
}

function faultOfBody(status: number, type: string, body: string): string | undefined {
  if (!type.startsWith('application/json')) {
    if (status >= 400 && !type.startsWith('text/html')) return `a refusal of the type ${type}`
    const isKnown =
      /^(text\/(html|css|plain|csv)|application\/(x-ndjson|vnd\.apache\.parquet)|image\/(svg\+xml|png|x-icon))\b/.test(
        type,
      )
    return isKnown ? undefined : `the type ${type}`
  }
  const json = parsed(body)
  if (json === undefined) return 'JSON that is none'
  const keys = Object.keys(json).join()
  if (status >= 400) return faultOfRefusal(status, keys, json)
  if (BARE.includes(keys) || json.openapi === '3.1.0') return undefined
  return json.success === true && typeof json.message === 'string' ? undefined : `not the envelope: ${keys}`
}

const REFUSALS = ['success,code,message,errors', 'success,code,message,errors,error_codes']

function faultOfRefusal(status: number, keys: string, answer: any): string | undefined {
  const { success, code, message, errors } = answer
  if (!REFUSALS.includes(keys) || success !== false || !isText(code) || !isText(message))
    return `not the envelope: ${keys}`
  const lists = Object.values<unknown>(errors)
  if ((status === 422) !== lists.length > 0) return `${lists.length} fields at fault`
  const areTexts = lists.every(
    (list) => Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string'),
  )
  return areTexts ? undefined : 'errors that are no lists of texts'
}

const isText = (value: unknown) => typeof value === 'string'

/** Undefined when it is no JSON in UTF-8, or no object. `body`: as Latin-1. */
function parsed(body: string): any {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'latin1')))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
