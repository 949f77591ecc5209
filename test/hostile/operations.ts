/** As far as the generator looks at it. */
export type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  enum?: string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  /** Of names that the schema does not say. */
  additionalProperties?: boolean | Schema
}

export type Field = { name: string; schema: Schema }

/** The operations of the service, read from its OpenAPI document. */
export type Operation = {
  method: string
  path: string
  query: Field[]
  headers: Field[]
  /** Of the JSON object; of a bulk request, those of each element. */
  body: (Field & { isRequired: boolean })[]
  /** The most elements of a bulk request; undefined for all others. */
  bulkMax: number | undefined
}

const PUBLIC_PATHS = [
  '/',
  '/docs',
  '/robots.txt',
  '/assets/site.css',
  '/.well-known/gpc.json',
  '/favicon.ico',
  '/no/thing',
  '/api',
]

/** All of the document, and the pages that it does not describe. */
export function operationsOf(openApi: any): Operation[] {
  const { schemas, parameters } = openApi.components
  const described = Object.entries<any>(openApi.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => {
      const { $ref = '' } = operation.requestBody?.content['application/json']?.schema ?? {}
      return {
        ...reading(path),
        method: method.toUpperCase(),
        ...parametersOf(resolved(operation.parameters ?? [], { ...schemas, ...parameters })),
        ...bodyOf(resolved(schemas[$ref.split('/').at(-1)], schemas)),
      }
    }),
  )
  return [...described, ...PUBLIC_PATHS.map(reading)]
}

const reading = (path: string): Operation => ({
  method: 'GET',
  path,
  query: [],
  headers: [],
  body: [],
  bulkMax: undefined,
})

function parametersOf(parameters: any[]): Pick<Operation, 'query' | 'headers'> {
  const within = (place: string): Field[] => parameters.filter((each) => each.in === place)
  return { query: within('query'), headers: within('header') }
}

/** With what it refers to in the place of the references. */
function resolved(schema: any, schemas: Record<string, unknown>): any {
  if (Array.isArray(schema)) return schema.map((each) => resolved(each, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  if (typeof schema.$ref === 'string') return resolved(schemas[schema.$ref.split('/').at(-1)], schemas)
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(value, schemas)]))
}

function bodyOf(schema: any = {}): Pick<Operation, 'body' | 'bulkMax'> {
  const { links } = schema.properties ?? {}
  return { body: fieldsOf(links?.items ?? schema), bulkMax: links?.maxItems }
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Operation['body'] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))
