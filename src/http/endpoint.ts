import type { z } from '@hono/zod-openapi'
import type { Caller, Scope } from '../caller.ts'
import type { IdempotentRequest } from '../links/idempotency.ts'
import type { Query } from './query.ts'

/** What an endpoint's answer is: an object to send as JSON, or a body that was made before. */
export type Answer = { body: object | string; headers?: Record<string, string>; status?: number }

/** What a handler is given, read and checked in the decided order. */
export type EndpointRequest = {
  /** The `{short_code}` of the path, '' where it has none. */
  code: string
  query: Query
  /** The JSON object of the body; {} where the endpoint takes none. */
  input: Record<string, unknown>
  idempotent: IdempotentRequest | undefined
}

export type CallerRequest = EndpointRequest & { caller: Caller }
export type KeyedRequest = CallerRequest & { usage: KeyUsage }

/** Where the calling key stands in its hour, this request included. */
export type KeyUsage = { limit: number; used: number; resetAtUs: number }

/** One endpoint: what is documented and what is done, in one place. */
export type Endpoint = PublicEndpoint | KeyedEndpoint

type Documentation = {
  method: 'get' | 'post' | 'put' | 'delete'
  /** As the specification spells it: `/api/links/{short_code}`. */
  path: string
  tag: 'Links' | 'Analytics' | 'Account' | 'Public'
  summary: string
  description?: string
  /** Query parameters by name. */
  query?: z.ZodObject
  /** The JSON body. */
  body?: z.ZodObject
  answer: { status: 200 | 201; description: string; schema: z.ZodType }
  /** Refusals of its own, beside those that every endpoint of its kind has. */
  refusals?: (404 | 409 | 410 | 422)[]
}

export type PublicEndpoint = Documentation & {
  access: 'public'
  handle(request: EndpointRequest): Promise<Answer>
}

export type KeyedEndpoint = Documentation & {
  access: 'key'
  /** Undefined: any valid key. */
  scope: Scope | undefined
  takesIdempotencyKey?: boolean
  /** Throws "not found" for a subject that the caller has not, before the body's values are looked at. */
  find?(caller: Caller, code: string): Promise<unknown>
  handle(request: KeyedRequest): Promise<Answer>
}

/** One that does not ask for the key, so that the dashboard has it too. */
export type CallerEndpoint = Omit<KeyedEndpoint, 'handle'> & {
  handle(request: CallerRequest): Promise<Answer>
}
