import type { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import type { Scope } from '../../access/roles-and-scopes.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { IdempotentRequest } from '../../links/idempotency.ts'
import type { Query } from '../requests/query.ts'

/** The body is an object to send as JSON, or JSON that was stored before. */
export type Answer = { body: object | string; headers?: Record<string, string>; status?: number }

export type EndpointRequest = {
  /** The link that the path's `{short_code}` names, on the domain that `?domain=` names; its code is '' if the path has none. */
  key: LinkKey
  /** Everything that stands in braces in the path. */
  params: Readonly<Record<string, string>>
  query: Query
  /** The JSON object of the body; {} if the endpoint takes none. */
  input: Record<string, unknown>
  idempotent: IdempotentRequest | undefined
  /** Aborted when the client has gone away. */
  signal: AbortSignal | undefined
}

export type CallerRequest = EndpointRequest & { caller: Caller }
type KeyedRequest = CallerRequest & { usage: KeyUsage }

/** The key's requests in the current hour, including this one. */
type KeyUsage = { limit: number; used: number; resetAtUs: number }

/** One endpoint: its documentation and its handler. */
export type Endpoint = PublicEndpoint | KeyedEndpoint

type Documentation = {
  method: 'get' | 'post' | 'put' | 'delete'
  /** In the notation of OpenAPI: `/api/links/{short_code}`. */
  path: string
  tag: 'Links' | 'Tags and folders' | 'Analytics' | 'Account' | 'Domains' | 'Workspace' | 'Public'
  summary: string
  description?: string
  query?: z.ZodObject
  /** The example is the body of the reference's command: it works as it stands. */
  /** `ignored`: fields that may be sent too, without being named in the message as unknown. */
  body?: { schema: z.ZodObject; example: object; ignored?: readonly string[] }
  /** `types`: the media types, where it is not JSON. */
  answer: { status: 200 | 201; description: string; schema: z.ZodType; types?: readonly string[] }
  /** When it answers 200 instead, with the same schema. */
  answersOk?: string
  /** Statuses in addition to those that every endpoint of its kind can return. */
  refusals?: (404 | 409 | 410 | 422)[]
}

export type PublicEndpoint = Documentation & {
  access: 'public'
  handle(request: EndpointRequest): Promise<Answer>
}

export type KeyedEndpoint = Documentation & {
  access: 'key'
  /** Undefined: any valid key without restrictions. */
  scope: Scope | undefined
  takesIdempotencyKey?: boolean
  /** Throws "not found" if the object is not the caller's, before the values of the body are validated. */
  find?(caller: Caller, key: LinkKey): Promise<unknown>
  /** A Response is streamed. */
  handle(request: KeyedRequest): Promise<Answer | Response>
}

/** An endpoint that does not need to know the key, so the dashboard shares it. */
export type CallerEndpoint = Omit<KeyedEndpoint, 'handle'> & {
  handle(request: CallerRequest): Promise<Answer | Response>
}
