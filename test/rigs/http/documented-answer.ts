import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { couldBeCode, isReserved } from '../../../src/codes/code-rules.ts'
import openApi from '../../../docs/openapi.json'

/** A response to a request to the API: its body is the value of its JSON, or its text. */
export type ApiAnswer = {
  method: string
  path: string
  status: number
  headers: Iterable<[name: string, value: string]>
  body: unknown
}

type Reference = { $ref: string }
type Header = { required?: boolean; schema: object }
type Response = {
  headers?: Record<string, Header | Reference>
  content?: Record<string, { schema: object | Reference }>
}
type Operation = { responses: Record<string, Response | Reference> }

/** `docs/openapi.json`, which a test of its own compares with the code. */
const DOCUMENT: {
  paths: Record<string, Record<string, Operation>>
  components: { headers: Record<string, Header>; responses: Record<string, Response> }
} = openApi

const JSON_TYPE = 'application/json'
const ERROR = '#/components/schemas/Error'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Every HTTP server sends them, or a browser demands them. */
const GENERAL_HEADERS =
  /^(?:access-control-.*|cache-control|connection|content-(?:encoding|language|length|security-policy|type)|cross-origin-.*|date|keep-alive|permissions-policy|referrer-policy|server|strict-transport-security|transfer-encoding|vary|x-content-type-options|x-frame-options|x-robots-tag)$/
/** It documents the others, and not itself. */
const DOCUMENT_PATH = '/api/openapi.json'

const ajv = new Ajv2020({
  allErrors: true,
  // The keywords of OpenAPI around the schemas are not those of JSON Schema.
  strict: false,
  validateSchema: false,
  formats: {
    uuid: UUID,
    uri: (text: string) => URL.canParse(text),
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': (text: string) =>
      /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
})
const validators = new Map<string, ValidateFunction>()

/** Under `/api`, a short URL, its preview, its QR code, or shared statistics. */
export function isDocumented(path: string): boolean {
  const pathname = decodedPath(path)
  const code = pathname.slice(1).replace(/\+$/, '')
  return /^\/(?:api|qr|share)\/./.test(pathname) || (couldBeCode(code) && !isReserved(code))
}

/** What a strict client that knows only the document would object to. */
export function undocumentedParts(answer: ApiAnswer): string[] {
  const { method, path, status, body } = answer
  const pathname = decodedPath(path)
  if (method === 'HEAD' || method === 'OPTIONS' || pathname === DOCUMENT_PATH) return []
  const headers = new Map([...answer.headers].map(([name, value]) => [name.toLowerCase(), value]))
  const operation = operationAt(method.toLowerCase(), pathname)
  return operation === undefined
    ? [...typeErrors(headers.get('content-type'), [JSON_TYPE]), ...schemaErrors(ERROR, body)]
    : responseErrors(operation, { status, headers, body })
}

/** The dashboard's own API is not in the document. Its responses have the same envelope, and its errors the same codes. */
export function brokenEnvelope({ status, headers, body }: Omit<ApiAnswer, 'method' | 'path'>): string[] {
  const type = new Map(headers).get('content-type')
  if (status >= 400) return [...typeErrors(type, [JSON_TYPE]), ...schemaErrors(ERROR, body)]
  // Exports, pictures and live streams.
  if (!type?.startsWith(JSON_TYPE)) return []
  const {
    success,
    message,
    data: _data,
    meta: _meta,
    count: _count,
    ...others
  } = body as Record<string, unknown>
  const isEnvelope = success === true && typeof message === 'string' && Object.keys(others).length === 0
  return isEnvelope ? [] : ['the body is not the envelope of a success']
}

function decodedPath(path: string): string {
  const [pathname = ''] = path.split('?')
  try {
    return decodeURI(pathname).replace(/%2B$/i, '+')
  } catch {
    return pathname
  }
}

type OperationResponses = { pointer: string; responses: Operation['responses'] }
const matchers = Object.keys(DOCUMENT.paths).map(
  (path) =>
    [path, new RegExp(`^${path.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/+]+')}$`)] as const,
)

function operationAt(method: string, pathname: string): OperationResponses | undefined {
  for (const [path, matcher] of matchers) {
    const operation = DOCUMENT.paths[path]![method]
    if (operation === undefined || !matcher.test(pathname)) continue
    return { pointer: pointerTo('paths', path, method, 'responses'), responses: operation.responses }
  }
  return undefined
}

const pointerTo = (...names: string[]) =>
  `#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

type Received = { status: number; headers: Map<string, string>; body: unknown }

function responseErrors(
  { pointer, responses }: OperationResponses,
  { status, headers, body }: Received,
): string[] {
  const own = responses[status]
  if (own === undefined) return ['the status is not documented']
  const isShared = '$ref' in own
  const response = isShared ? DOCUMENT.components.responses[own.$ref.split('/').at(-1)!]! : own
  const at = isShared ? own.$ref : `${pointer}/${status}`
  const content = response.content ?? {}
  const types = Object.keys(content)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const media = content[type]
  const place =
    media === undefined || '$ref' in media.schema
      ? (media?.schema as Reference | undefined)?.$ref
      : `${at}/content/${pointerTo(type).slice(2)}/schema`
  return [
    ...headerErrors(response, { place: `${at}/headers`, headers }),
    ...(types.length === 0 ? contentErrors(headers, body) : typeErrors(headers.get('content-type'), types)),
    ...(place === undefined ? [] : schemaErrors(place, body)),
  ]
}

const contentErrors = (headers: Map<string, string>, body: unknown): string[] =>
  headers.has('content-type') || body !== '' ? ['the body is not documented'] : []

function typeErrors(type: string | undefined, types: string[]): string[] {
  const isDocumented = types.some((each) => type === each || type === `${each}; charset=utf-8`)
  return isDocumented ? [] : [`the content type ${type} is not documented`]
}

type ReceivedHeaders = { place: string; headers: Map<string, string> }

function headerErrors(response: Response, { place, headers }: ReceivedHeaders): string[] {
  const documented = Object.entries(response.headers ?? {}).map(([name, header]) =>
    '$ref' in header
      ? { name, at: header.$ref, ...DOCUMENT.components.headers[header.$ref.split('/').at(-1)!]! }
      : { name, at: `${place}/${name}`, ...header },
  )
  const names = new Set(documented.map(({ name }) => name.toLowerCase()))
  const unknown = [...headers.keys()].filter((name) => !names.has(name) && !GENERAL_HEADERS.test(name))
  return [
    ...unknown.map((name) => `the header ${name} is not documented`),
    ...documented.flatMap(({ name, at, required }) => {
      const value = headers.get(name.toLowerCase())
      if (value !== undefined) return schemaErrors(`${at}/schema`, headerValue(value))
      return required === true ? [`the header ${name} is missing`] : []
    }),
  ]
}

const headerValue = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text)

function schemaErrors(pointer: string, value: unknown): string[] {
  let validate = validators.get(pointer)
  if (validate === undefined) {
    if (validators.size === 0) ajv.addSchema(DOCUMENT, 'document')
    validate = ajv.compile({ $ref: `document${pointer}` })
    validators.set(pointer, validate)
  }
  if (validate(value)) return []
  return validate.errors!.map(
    ({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)} (${pointer})`,
  )
}
