import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { envelope, errorSchema } from '../endpoints/schemas.ts'
import { FIELD_CODES } from '../../errors/field-codes.ts'
import { API_REFUSAL_CODES, REFUSAL_CODES } from '../../errors/refusal-codes.ts'
import { statusOf } from '../responses/refusal-status.ts'
import type { SchemaDeps } from '../dispatch/body-and-query.ts'
import { type Endpoint, namesLink } from '../dispatch/endpoint.ts'
import { DOMAIN, PATH_PARAMETERS, PUBLIC_DOMAIN } from './path-parameters.ts'
import { shareComponents } from './shared-components.ts'
import { SHORT_URL_ROUTES, SHORT_URL_TAG } from './short-url-routes.ts'
import { headersOf, needsKey, registerParts, securityOf, TAGS } from './openapi-parts.ts'

const INTRODUCTION = `Create short links, see who opens them, and manage both from your own programs.

## Authentication

Send your key in the header \`X-API-Key\`. \`Authorization: Bearer <key>\` and the query parameter \`api_key\` also work; headers come first. Keys begin with \`tern_\`. Keep them out of client-side code and public repositories.

Keys have scopes: \`links:read\` lists and reads links, \`links:write\` creates, changes and deletes them (\`links:create\` only creates), \`analytics:read\` reads analytics, \`shares:write\` shares statistics with everybody who has a secret URL, \`domains:write\` changes domains, \`workspace:write\` changes the settings of the workspace. The email address of the account must be verified.

## Answers

Every response under \`/api\` is JSON: \`success\`, \`message\`, and \`data\` (\`meta\` in lists). The public statistics and the health check are bare objects. Fields and parameters of a request that an endpoint does not know are ignored, and the message of its response names them. Times are ISO 8601 in UTC with microseconds.

## Errors

An error has \`success: false\`, a \`code\` (see Codes), a \`message\`, and \`errors\`, which names each invalid field and what is wrong with it. A request that fails changes nothing. Checks run in this order: key (401), verified email and required second factor (403), rate limit (429), scope (403), path and method (404, 405), syntax (400, 413, 415), object (404), values (422). Malformed HTTP gets a response without a body.

Every response under \`/api\` carries \`X-Request-Id\`. Include it when you ask for help.

## Codes

Decide by the \`code\` of an error, never by its message, whose wording may change. Some occur only in the dashboard or when a short URL is opened.

${codeList()}

Where a program needs to know what is wrong with a field, \`error_codes\` has a code for each of its sentences in \`errors\`, in the same order. Fields without such codes are absent from it.

${fieldCodeList()}

## Limits

A key can make 100 requests per hour unless its plan or the operator allows more. The hour begins with the first request. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (epoch seconds) show the current state, as do \`RateLimit-Policy\` and \`RateLimit\`. Over the limit, the response is 429 with \`Retry-After\`.

A request body can be up to 1 MiB. To retry a creation safely, send an \`Idempotency-Key\` of up to 255 characters: for 24 hours, the same key with the same body returns the same response, with \`Idempotent-Replayed: true\`.`

const REFUSALS: Record<number, string> = {
  400: 'The request cannot be read: malformed JSON, an empty body, or invalid percent-encoding.',
  401: 'The API key is missing or invalid.',
  403: 'The email address is not verified, the workspace requires two-factor sign-in that the user of the key has not turned on, or the key lacks the scope.',
  404: 'The object does not exist, or belongs to another account.',
  409: 'A request with this Idempotency-Key is still in progress, the workspace has as many links or shared pages as it can have, the statistics are shared already, or somebody else has changed the link.',
  410: 'The operator has taken this link down.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  422: 'A value is invalid; `errors` says which.',
  429: 'The limit is reached; `Retry-After` says when to try again.',
  503: 'The store is unavailable, for example because its disk is full; `Retry-After` says when to try again.',
  500: 'An internal error; `X-Request-Id` identifies the request.',
}

const LICENSE = { name: 'MIT', identifier: 'MIT' }

type DocumentDeps = SchemaDeps & { baseUrl: string; version: string }

/** The OpenAPI 3.1 document, generated from the endpoints that handle requests, with what visitors open. */
export function openApiDocument(endpoints: readonly Endpoint[], deps: DocumentDeps) {
  const app = new OpenAPIHono()
  const registry = app.openAPIRegistry
  registerParts(registry)
  for (const endpoint of endpoints.filter(isDocumented)) registry.registerPath(routeConfig(endpoint, deps))
  for (const route of SHORT_URL_ROUTES) registry.registerPath(route)
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Tern API',
      version: deps.version,
      description: INTRODUCTION,
      license: LICENSE,
    },
    tags: [...TAGS, SHORT_URL_TAG],
    servers: [{ url: deps.baseUrl }],
  })
  return shareComponents(document)
}

type DocumentedEndpoint = Endpoint & { tag: string; summary: string }

/** The dashboard's own endpoints are not. */
const isDocumented = (endpoint: Endpoint): endpoint is DocumentedEndpoint =>
  endpoint.who !== 'session' && endpoint.who !== 'anybody'

function routeConfig(endpoint: DocumentedEndpoint, deps: DocumentDeps): RouteConfig {
  const { answer, tag, summary, description } = endpoint
  const { status = 200, types = ['application/json'] } = answer
  const schema = answerSchema(endpoint)
  const content = Object.fromEntries(types.map((type) => [type, { schema }]))
  const success = {
    description: answer.description ?? '',
    headers: headersOf(endpoint, status),
    content,
  }
  return {
    method: endpoint.method.toLowerCase() as 'get',
    path: `/api${endpoint.path}`,
    tags: [tag],
    operationId: operationId(endpoint),
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(endpoint),
    request: requestConfig(endpoint, deps),
    responses: {
      [status]: success,
      ...(answer.whenOk === undefined ? {} : { 200: { ...success, description: answer.whenOk } }),
      ...refusalResponses(endpoint),
    },
  }
}

/** The body of a success. */
export function answerSchema({ answer: { bare, message = '', count, data, meta } }: Endpoint): z.ZodType {
  if (bare !== undefined) return bare
  return envelope(message, {
    ...(count === undefined ? {} : { count }),
    ...(data === undefined ? {} : { data }),
    ...(meta === undefined ? {} : { meta }),
  })
}

function requestConfig(endpoint: Endpoint, deps: DocumentDeps): NonNullable<RouteConfig['request']> {
  const { path, input, takesBytes, isRepeatable } = endpoint
  return {
    ...pathParameters(path),
    ...queryParameters(endpoint),
    ...(isRepeatable ? { headers: z.object({ 'Idempotency-Key': idempotencyKey }) } : {}),
    ...(takesBytes ? { body: { required: true, content: BYTES } } : {}),
    ...(input === undefined
      ? {}
      : {
          body: {
            required: true,
            content: { 'application/json': { schema: input.schema(deps), example: input.example } },
          },
        }),
  }
}

const BYTES = { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } }

function pathParameters(path: string): Pick<NonNullable<RouteConfig['request']>, 'params'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true])
  return names.length === 0 ? {} : { params: PATH_PARAMETERS.pick(Object.fromEntries(names)) }
}

function queryParameters(endpoint: Endpoint): Pick<NonNullable<RouteConfig['request']>, 'query'> {
  const { query, who } = endpoint
  if (!namesLink(endpoint)) return query === undefined ? {} : { query: query.schema }
  const domain = who === 'public' ? PUBLIC_DOMAIN : DOMAIN
  return { query: query === undefined ? z.object({ domain }) : query.schema.extend({ domain }) }
}

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .openapi({ description: 'Makes the request safe to repeat for 24 hours.' })

function refusalResponses(endpoint: Endpoint): RouteConfig['responses'] {
  const keyed = needsKey(endpoint) ? [401, 403, 429] : [429]
  const body = endpoint.takesBytes ? [413] : endpoint.input === undefined ? [] : [413, 415]
  // Of the query's `domain`, which may be given only once.
  const domain = namesLink(endpoint) ? [422] : []
  const refusals = endpoint.refusals ?? []
  const statuses = new Set([400, ...keyed, ...body, ...domain, ...refusals, 500, 503])
  const content = { 'application/json': { schema: errorSchema } }
  return Object.fromEntries(
    [...statuses]
      .sort()
      .map((status) => [
        status,
        { description: REFUSALS[status]!, headers: headersOf(endpoint, status), content },
      ]),
  )
}

/** `GET /api/links/{short_code}` → `get_links_short_code`. */
const operationId = ({ method, path }: Endpoint) =>
  `${method.toLowerCase()}_${path
    .slice(1)
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[^a-z_]+/g, '_')}`

function fieldCodeList(): string {
  return Object.entries(FIELD_CODES)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n')
}

function codeList(): string {
  return API_REFUSAL_CODES.map((code) => `- \`${code}\` (${statusOf(code)}): ${REFUSAL_CODES[code][1]}`).join(
    '\n',
  )
}
