import type { OpenAPIHono } from '@hono/zod-openapi'
import { API_VERSION } from '../../runtime/version.ts'
import type { Endpoint } from '../dispatch/endpoint.ts'
import { KEY_PARAMETER, USAGE_HEADERS } from '../dispatch/admit-key.ts'

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
    name: KEY_PARAMETER,
    description: 'For clients that cannot set headers. URLs end up in logs and histories: prefer a header.',
  },
} as const

export const TAGS: { name: NonNullable<Endpoint['tag']>; description: string }[] = [
  { name: 'Links', description: 'Create, read, change and delete short links.' },
  { name: 'Imports', description: 'Links that were imported together, and can be taken back together.' },
  { name: 'Tags and folders', description: 'Keep links in order. A link has up to 20 tags, and one folder.' },
  { name: 'Analytics', description: 'Clicks by time, country, device, browser, system and referrer.' },
  {
    name: 'Shared statistics',
    description: 'Public pages with the clicks of a link, a tag or a folder, each under a secret URL.',
  },
  { name: 'Account', description: 'The account of the API key, its usage and its keys.' },
  { name: 'Domains', description: 'Hosts of short URLs, each with codes of its own.' },
  { name: 'Workspace', description: 'What a workspace has set for all its members.' },
  { name: 'Public', description: 'Available to everyone, without an API key.' },
]

const count = { type: 'integer', minimum: 0 } as const

type HeaderSchema = { type: 'string' | 'integer'; format?: string; minimum?: number; example?: string }
/** Every response that lists the header has it. */
const always = (description: string, schema: HeaderSchema) => ({ required: true, description, schema })
const sometimes = (description: string, schema: HeaderSchema) => ({ required: false, description, schema })

const HEADERS = {
  'X-Request-Id': always('Identifies the request in the log.', { type: 'string', format: 'uuid' }),
  'X-API-Version': sometimes('The version of the API; absent if the request did not reach it.', {
    type: 'string',
    example: API_VERSION,
  }),
  'X-RateLimit-Limit': always('Requests per hour that the key may make.', count),
  'X-RateLimit-Remaining': always('Requests left in the current hour.', count),
  'X-RateLimit-Reset': always('When the hour ends, in seconds since 1970 UTC.', count),
  RateLimit: always(
    'Requests left, and the seconds until the hour ends (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string', example: '"hour";r=99;t=3600' },
  ),
  'RateLimit-Policy': always('Requests that the key may make, and in how many seconds.', {
    type: 'string',
    example: '"hour";q=100;w=3600',
  }),
  'Content-Disposition': always('The name of the file.', {
    type: 'string',
    example: 'attachment; filename="links.csv"',
  }),
  'WWW-Authenticate': always('How to send the key.', { type: 'string', example: 'Bearer realm="api"' }),
  'Retry-After': always('Seconds to wait before the next try.', count),
  'Idempotent-Replayed': sometimes(
    '`true` when the answer is that of an earlier request with the same Idempotency-Key; absent otherwise.',
    { type: 'string' },
  ),
}

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
