import type { z } from '@hono/zod-openapi'
import type { Caller, SignedInCaller } from '../../access/caller.ts'
import type { Action, Scope } from '../../access/roles-and-scopes.ts'
import type { HourlyUsage } from '../../api-keys/hourly-limit.ts'
import type { IdempotentRequest } from '../../links/idempotency.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { Session } from '../../users/sign-in/session.ts'
import type { Awaitable, Body, QueryParameters } from './body-and-query.ts'
import type { ServerDeps } from './server-deps.ts'

/**
 * `public`: under /api, without a key. `key`: under /api, with one. `session`: under /dashboard/api, with a session's cookie.
 * `both`: under /api with a key and under /dashboard/api with a session. `anybody`: under /dashboard/api, before one signs in.
 */
export type Who = 'public' | 'key' | 'both' | 'session' | 'anybody'

/**
 * `verified`: for what belongs to the user, in whichever workspace. `member`: in the current workspace, in any role. An action needs
 * a member whose role allows it.
 */
export type Role = 'signed-in' | 'verified' | 'member' | 'operator' | Action

type Permissions = {
  public: {}
  anybody: {}
  /** Undefined: any valid key without restrictions. */
  key: { scope: Scope | undefined }
  /** `role`: what a session needs, if it is not what a key needs. */
  both: { scope: Scope; role?: Action }
  session: { role: Role }
}

/** The key's requests in the current hour, including this one. */
type KeyUsage = Pick<HourlyUsage, 'limit' | 'used' | 'resetAtUs'>

export type FromBrowser = {
  /** For limits only. */
  ip: string
  /** `Firefox on Linux` */
  device: string
  /** The cookie of a browser that is at a provider of single sign-on, or has come back. */
  flowToken: string | undefined
}

type Requesters = {
  public: {}
  anybody: FromBrowser
  key: { caller: Caller; usage: KeyUsage }
  both: { caller: Caller }
  session: FromBrowser & { caller: SignedInCaller; session: Session }
}

export type EndpointRequest<W extends Who = Who, Input = unknown, Values = unknown> = Requesters[W] & {
  /** The link that the path's `{short_code}` names, on the domain that `?domain=` names; its code is '' if the path has none. */
  key: LinkKey
  /** Everything that stands in braces in the path. */
  params: Readonly<Record<string, string>>
  query: Values
  /** The body. */
  input: Input
  /** The body of an endpoint that takes bytes. */
  bytes: Uint8Array
  idempotent: IdempotentRequest | undefined
  /** Aborted when the client has gone away. */
  signal: AbortSignal
}

/** What the object of a request is found by. */
export type FindContext<W extends Who = Who> = {
  deps: ServerDeps
  caller: W extends 'session' ? SignedInCaller : Caller
  key: LinkKey
  params: Readonly<Record<string, string>>
}

type Documentation = {
  tag:
    | 'Links'
    | 'Imports'
    | 'Tags and folders'
    | 'Analytics'
    | 'Shared statistics'
    | 'Account'
    | 'Domains'
    | 'Workspace'
    | 'Public'
  summary: string
  description?: string
  /** Statuses in addition to those that every endpoint of its kind can return. */
  refusals?: (404 | 409 | 410 | 422)[]
}

/** What the dashboard alone uses is not in the API's document. */
type Documented<W extends Who> = W extends 'session' | 'anybody' ? Partial<Documentation> : Documentation

type AnswerParts<Data extends z.ZodType | undefined, Meta extends z.ZodType | undefined> = {
  status?: 200 | 201
  /** The envelope's, unless the reply has another. Absent where the answer has no envelope. */
  message?: string
  /** For the document. */
  description?: string
  data?: Data
  meta?: Meta
  count?: z.ZodType
  /** When it answers 200 instead, with the same schema. */
  whenOk?: string
  /** What is sent without the envelope. `types`: the media types, where it is not JSON. */
  bare?: z.ZodType
  types?: readonly string[]
}

type Value<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type OptionalPart<Name extends string, Schema> = Schema extends z.ZodType
  ? { [Key in Name]: Value<Schema> }
  : { [Key in Name]?: undefined }

/** The token of a new session or flow, or null to remove the cookie. */
type CookieChange = { sessionToken?: string | null; flowToken?: string | null }

type EnvelopeReply<Data, Meta> = CookieChange & {
  message?: string
  status?: 200 | 201
  headers?: Record<string, string>
  count?: number
} & OptionalPart<'data', Data> &
  OptionalPart<'meta', Meta>

/** What is sent without the envelope. */
export type PlainReply = { body: object; status?: number }

/** A Response is streamed. */
export type Reply<Data = z.ZodType | undefined, Meta = z.ZodType | undefined> =
  EnvelopeReply<Data, Meta> | PlainReply | Response

/** A handler without data need not return anything. */
type Nothing<Data> = Data extends z.ZodType ? never : void

type Definition<
  W extends Who,
  Route extends string,
  Schema extends z.ZodObject,
  Input,
  Parameters extends z.ZodObject,
  Values,
  Data extends z.ZodType | undefined,
  Meta extends z.ZodType | undefined,
> = Permissions[W] &
  Documented<W> & {
    who: W
    /** Method and path below /api or /dashboard/api, in the notation of OpenAPI: `GET /links/{short_code}`. */
    route: Route
    input?: Body<Schema, Input>
    /** The body is bytes, whatever its type says. */
    takesBytes?: true
    query?: QueryParameters<Parameters, Values>
    /** Whether an Idempotency-Key makes it safe to send again. */
    isRepeatable?: true
    /** Throws "not found" if the object is not the caller's, before the values of the request are validated. */
    find?(context: FindContext<NoInfer<W>>): Promise<unknown>
    answer: AnswerParts<Data, Meta>
    run(
      request: EndpointRequest<W, Input, Values>,
      deps: ServerDeps,
    ): Awaitable<Reply<Data, Meta> | Nothing<Data>>
  }

/** What a browser sends to an endpoint and gets from it, for ApiOf. It exists in types only. */
declare const EXCHANGE: unique symbol
type Exchange<Schema, Parameters, Data, Meta> = {
  input: Schema
  query: Parameters
  data: Data
  meta: Meta
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One endpoint: who may use it, what it takes and answers, its documentation and its handler. */
/** Whose query may have the `domain` of the link. */
export const namesLink = ({ path }: Pick<Endpoint, 'path'>): boolean => path.includes('{short_code}')

export type Endpoint = {
  who: Who
  scope?: Scope | undefined
  role?: Role
  method: Method
  path: string
  input?: Body
  takesBytes?: true
  query?: QueryParameters
  isRepeatable?: true
  find?(context: FindContext): Promise<unknown>
  answer: AnswerParts<z.ZodType | undefined, z.ZodType | undefined>
  run(request: object, deps: ServerDeps): Awaitable<Reply | void>
} & Partial<Documentation>

/** Checks an endpoint by itself and keeps what the browser's types derive from. */
export function endpoint<
  const W extends Who,
  const Route extends `${Method} /${string}`,
  Schema extends z.ZodObject = never,
  Input = undefined,
  Parameters extends z.ZodObject = never,
  Values = undefined,
  Data extends z.ZodType | undefined = undefined,
  Meta extends z.ZodType | undefined = undefined,
>(definition: Definition<W, Route, Schema, Input, Parameters, Values, Data, Meta>) {
  const [method, path] = definition.route.split(' ')
  return { ...definition, method, path } as unknown as Endpoint & {
    who: W
    route: Route
    [EXCHANGE]: Exchange<Schema, Parameters, Data, Meta>
  }
}

type TypedEndpoint = Endpoint & { route: string; [EXCHANGE]: Exchange<unknown, unknown, unknown, unknown> }
type Entry<Name extends string, Value> = [Value] extends [never | undefined] ? {} : { [Key in Name]: Value }
type InputOf<Schema> = [Schema] extends [never] ? never : Schema extends z.ZodType ? z.input<Schema> : never
/** Lists that are only read. */
type ReadOnly<Query> = {
  [Name in keyof Query]: Query[Name] extends (infer Item)[] | undefined
    ? readonly Item[] | undefined
    : Query[Name]
}
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

/** What a browser sends and gets, by route. */
export type ApiOf<Endpoints extends TypedEndpoint> = {
  [One in Endpoints as One['route']]: Entry<'input', InputOf<One[typeof EXCHANGE]['input']>> &
    Entry<'query', ReadOnly<InputOf<One[typeof EXCHANGE]['query']>>> &
    Entry<'data', OutputOf<One[typeof EXCHANGE]['data']>> &
    Entry<'meta', OutputOf<One[typeof EXCHANGE]['meta']>>
}
