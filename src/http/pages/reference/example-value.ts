import {
  resolve,
  type Example,
  type Media,
  type OpenApiDocument,
  type Parameter,
  type Reference,
  type Schema,
} from './openapi-document.ts'
import { typesOf } from './schema-fields.ts'

type AnySchema = Schema | Reference

// Ends recursive schemas.
const DEPTH_MAX = 8

/** The example of a body: the given one, or one made from the schema. Undefined without either, and for pages and images. */
export function mediaExample(document: OpenApiDocument, media: Media): unknown {
  const example = givenExample(document, media)
  if (example !== undefined) return example
  if (media.schema === undefined || isFile(document, media.schema)) return undefined
  return schemaExample(document, media.schema)
}

const isFile = (document: OpenApiDocument, schema: AnySchema): boolean =>
  resolve<Schema>(document, schema).contentMediaType !== undefined

/** Only a given example: an invented one would name an object that nobody has. */
export function parameterExample(document: OpenApiDocument, parameter: Parameter): unknown {
  const example = givenExample(document, parameter)
  if (example !== undefined || !parameter.schema) return example
  const schema = resolve<Schema>(document, parameter.schema)
  return schema.example ?? schema.examples?.[0]
}

export function givenExample(document: OpenApiDocument, place: Media | Parameter): unknown {
  if (place.example !== undefined) return place.example
  const [first] = Object.values(place.examples ?? {})
  return first && resolve<Example>(document, first).value
}

export function schemaExample(document: OpenApiDocument, schema: AnySchema, depth = 0): unknown {
  const own = resolve<Schema>(document, schema)
  for (const example of [own.example, own.examples?.[0], own.const, own.default, own.enum?.[0]]) {
    if (example !== undefined) return example
  }
  if (depth >= DEPTH_MAX) return null
  if (own.allOf) return allOfExample(document, own, depth)
  const variant = [...(own.oneOf ?? []), ...(own.anyOf ?? [])].find(
    (part) => resolve<Schema>(document, part).type !== 'null',
  )
  if (variant) return schemaExample(document, variant, depth + 1)
  switch (typesOf(own).find((type) => type !== 'null')) {
    case 'object':
      return objectExample(document, own, depth)
    case 'array':
      return own.items ? [schemaExample(document, own.items, depth + 1)] : []
    case 'integer':
    case 'number':
      return Math.max(own.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      return stringExample(own.format)
    default:
      return null
  }
}

function objectExample(document: OpenApiDocument, schema: Schema, depth: number): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, schemaExample(document, field, depth + 1)]))
}

function allOfExample(document: OpenApiDocument, schema: Schema, depth: number): unknown {
  const parts = (schema.allOf ?? []).map((part) => schemaExample(document, part, depth + 1))
  const objects = parts.filter((part) => typeof part === 'object' && part !== null)
  if (objects.length === 0 && !schema.properties) return parts[0] ?? null
  return [...objects, objectExample(document, schema, depth)].reduce((all, part) => ({ ...all, ...part }))
}

function stringExample(format: string | undefined): string {
  switch (format) {
    case 'date-time':
      return '2026-04-20T12:00:00.000000Z'
    case 'date':
      return '2026-04-20'
    case 'uri':
    case 'url':
      return 'https://example.com/'
    case 'email':
      return 'ada@example.com'
    default:
      return 'string'
  }
}
