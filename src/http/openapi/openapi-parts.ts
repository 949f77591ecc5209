import type { OpenAPIHono } from '@hono/zod-openapi'
import { API_VERSION } from '../responses/api-version.ts'
import type { Endpoint } from '../dispatch/endpoint.ts'
import { USAGE_HEADERS } from '../dispatch/admit-key.ts'

type Registry = OpenAPIHono['openAPIRegistry']

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key in a header of its own.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'For clients that cannot set headers. URLs end up in logs and histories: prefer a header.',
  },
} as const

export const TAGS: { name: NonNullable<Endpoint['tag']>; description: string }[] = [
  { name: 'Links', description: 'Create, read, change and delete short links.' },
  { name: 'Tags and folders', description: 'Keep links in order. A link has up to 20 tags, and one folder.' },
  { name: 'Analytics', description: 'Clicks by time, country, device, browser, system and referrer.' },
  { name: 'Account', description: 'The account of the API key, its usage and its keys.' },
  { name: 'Domains', description: 'Hosts of short URLs, each with codes of its own.' },
  { name: 'Workspace', description: 'What a workspace has set for all its members.' },
  { name: 'Public', description: 'Available to everyone, without an API key.' },
]

const count = { type: 'integer', minimum: 0 } as const

/** `required`: every response that lists the header has it. */
const HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies the request in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-API-Version': {
    required: false,
    description: 'The version of the API; absent if the request did not reach it.',
    schema: { type: 'string', example: API_VERSION },
  },
  'X-RateLimit-Limit': {
    required: true,
    description: 'Requests per hour that the key may make.',
    schema: count,
  },
  'X-RateLimit-Remaining': {
    required: true,
    description: 'Requests left in the current hour.',
    schema: count,
  },
  'X-RateLimit-Reset': {
    required: true,
    description: 'When the hour ends, in seconds since 1970 UTC.',
    schema: count,
  },
  RateLimit: {
    required: true,
    description: 'Requests left, and the seconds until the hour ends (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', example: '"hour";r=99;t=3600' },
  },
  'RateLimit-Policy': {
    required: true,
    description: 'Requests that the key may make, and in how many seconds.',
    schema: { type: 'string', example: '"hour";q=100;w=3600' },
  },
  'Content-Disposition': {
    required: true,
    description: 'The name of the file.',
    schema: { type: 'string', example: 'attachment; filename="links.csv"' },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'How to send the key.',
    schema: { type: 'string', example: 'Bearer realm="api"' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before the next try.',
    schema: count,
  },
  'Idempotent-Replayed': {
    required: false,
    description:
      '`true` when the answer is that of an earlier request with the same Idempotency-Key; absent otherwise.',
    schema: { type: 'string' },
  },
} as const

type HeaderName = keyof typeof HEADERS

export function registerParts(registry: Registry): void {
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme)
  for (const [name, header] of Object.entries(HEADERS)) registry.registerComponent('headers', name, header)
}

export const needsKey = ({ who }: Endpoint): boolean => who === 'key' || who === 'both'

/** The key can be sent in any one of these ways. */
export function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (!needsKey(endpoint)) return []
  const scopes = endpoint.scope === undefined ? [] : [endpoint.scope]
  return Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: scopes }))
}

/** Responses that are sent before the request is counted, or when something else is wrong. */
const WITHOUT_USAGE = [401, 500, 503]
const TO_COME_AGAIN = [429, 503]

export function headersOf(endpoint: Endpoint, status: number) {
  const isKeyed = needsKey(endpoint)
  const isSuccess = status === (endpoint.answer.status ?? 200)
  const names: HeaderName[] = ['X-Request-Id', 'X-API-Version']
  if (isKeyed && !WITHOUT_USAGE.includes(status)) names.push(...USAGE_HEADERS)
  if (TO_COME_AGAIN.includes(status)) names.push('Retry-After')
  if (status === 401) names.push('WWW-Authenticate')
  if (isSuccess && endpoint.answer.types !== undefined) names.push('Content-Disposition')
  if (endpoint.isRepeatable && isSuccess) names.push('Idempotent-Replayed')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
