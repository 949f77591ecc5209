import { errorSchema } from '../endpoints/schemas.ts'

// What the descriptions of pages and short URLs have in common.

type Header =
  { $ref: string } | { required?: boolean; description: string; schema: { type: 'string'; format?: string } }
type Headers = Record<string, Header>
type Content = Record<string, { schema: object; example?: unknown }>
export type Responses = Record<string, { description: string; headers?: Headers; content?: Content }>

export const JSON_ERROR = { 'application/json': { schema: errorSchema } }
export const file = (contentMediaType: string) => ({ schema: { type: 'string' as const, contentMediaType } })
export const PAGE = { 'text/html': file('text/html') }
/** A page for browsers, which send `Accept: text/html`, and JSON for everybody else. */
export const NOTICE = { ...JSON_ERROR, ...PAGE }

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
export const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
/** The redirect server names a request only if the log has something about it, or if the API did not answer. */
const MAYBE_REQUEST_ID = {
  'X-Request-Id': {
    description: 'Identifies the request in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
} satisfies Headers
export const own = (name: string, description: string, isRequired = true): Headers => ({
  [name]: { required: isRequired, description, schema: { type: 'string' } },
})

export const BUSY: Responses = {
  429: {
    description: 'Too many requests from this network; `Retry-After` says when to try again.',
    headers: RETRY_AFTER,
    content: NOTICE,
  },
  503: {
    description:
      'The link cannot be looked up, or its click cannot be recorded, at the moment. `Retry-After` says when to try again.',
    headers: { ...MAYBE_REQUEST_ID, ...RETRY_AFTER },
    content: NOTICE,
  },
}
export const ALWAYS: Responses = {
  400: {
    description: 'The Host header is missing or malformed.',
    headers: MAYBE_REQUEST_ID,
    content: JSON_ERROR,
  },
  500: {
    description: 'An internal error; `X-Request-Id` identifies the request.',
    headers: REQUEST_ID,
    content: JSON_ERROR,
  },
}

/** Of paths that the API server answers. */
export function withRequestId(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...REQUEST_ID } },
    ]),
  )
}
