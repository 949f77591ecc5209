/** The parts of OpenAPI 3.1 that the reference shows. Everything else in a document is ignored. */
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description?: string | undefined; summary?: string | undefined }
  tags?: Tag[] | undefined
  paths?: Record<string, PathItem> | undefined
  components?:
    | {
        securitySchemes?: Record<string, SecurityScheme | Reference> | undefined
        headers?: Record<string, Header | Reference> | undefined
        schemas?: Record<string, Schema | Reference> | undefined
      }
    | undefined
  security?: SecurityRequirement[] | undefined
}

export type Reference = { $ref: string }
type Tag = { name: string; description?: string | undefined }
/** Scheme names with the scopes they need. An empty object: no key is needed. */
type SecurityRequirement = Record<string, string[]>

export type SecurityScheme = {
  type: string
  name?: string | undefined
  in?: string | undefined
  scheme?: string | undefined
  description?: string | undefined
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const
export type Method = (typeof METHODS)[number]

export type PathItem = { [method in Method]?: OperationObject | undefined } & {
  parameters?: (Parameter | Reference)[] | undefined
}

export type OperationObject = {
  operationId?: string | undefined
  summary?: string | undefined
  description?: string | undefined
  tags?: string[] | undefined
  deprecated?: boolean | undefined
  parameters?: (Parameter | Reference)[] | undefined
  requestBody?: RequestBody | Reference | undefined
  responses?: Record<string, Response | Reference> | undefined
  security?: SecurityRequirement[] | undefined
}

export type Parameter = {
  name: string
  in: string
  required?: boolean | undefined
  deprecated?: boolean | undefined
  description?: string | undefined
  schema?: Schema | Reference | undefined
  example?: unknown
  examples?: Record<string, Example | Reference> | undefined
}

export type RequestBody = {
  description?: string | undefined
  required?: boolean | undefined
  content?: Record<string, Media> | undefined
}

export type Response = {
  description?: string | undefined
  headers?: Record<string, Header | Reference> | undefined
  content?: Record<string, Media> | undefined
}

export type Header = { description?: string | undefined; schema?: Schema | Reference | undefined }

export type Media = {
  schema?: Schema | Reference | undefined
  example?: unknown
  examples?: Record<string, Example | Reference> | undefined
}

export type Example = { value?: unknown }

/** JSON Schema 2020-12, which OpenAPI 3.1 uses: `type` may be a list, and `$ref` may have siblings. */
export type Schema = {
  $ref?: string | undefined
  type?: string | string[] | undefined
  format?: string | undefined
  contentMediaType?: string | undefined
  description?: string | undefined
  enum?: unknown[] | undefined
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[] | undefined
  properties?: Record<string, Schema | Reference> | undefined
  required?: string[] | undefined
  additionalProperties?: boolean | Schema | Reference | undefined
  items?: Schema | Reference | undefined
  oneOf?: (Schema | Reference)[] | undefined
  anyOf?: (Schema | Reference)[] | undefined
  allOf?: (Schema | Reference)[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  // A boolean in OpenAPI 3.0, a number in 3.1.
  exclusiveMinimum?: number | boolean | undefined
  exclusiveMaximum?: number | boolean | undefined
  multipleOf?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  pattern?: string | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  deprecated?: boolean | undefined
}

// More references than this in a row are circular.
const HOPS_MAX = 8

/** Follows `$ref` inside the document. Gives an empty object for one that leads nowhere, so the page still renders. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  let current: object = value
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    if (!('$ref' in current) || typeof current.$ref !== 'string') return current as T
    const { $ref, ...siblings } = current
    current = { ...lookUp(document, $ref), ...siblings }
  }
  return {} as T
}

function lookUp(document: OpenApiDocument, pointer: string): object {
  if (!pointer.startsWith('#/')) return {}
  let value: unknown = document
  for (const step of pointer.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return {}
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'object' && value !== null ? value : {}
}

/** JSON if there is any, or the first media type. */
export function mainMedia(
  content: Record<string, Media> | undefined,
): { type: string; media: Media } | undefined {
  const all = Object.entries(content ?? {})
  const entry = all.find(([type]) => /[/+]json\b/.test(type)) ?? all[0]
  return entry && { type: entry[0], media: entry[1] }
}

/** The body of refusals, which nearly every operation has several of. */
export const SHARED_ERROR = '#/components/schemas/Error'

export const isSharedError = (schema: Schema | Reference | undefined): boolean =>
  schema !== undefined && '$ref' in schema && schema.$ref === SHARED_ERROR
