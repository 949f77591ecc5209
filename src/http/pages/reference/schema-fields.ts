import { resolve, type OpenApiDocument, type Reference, type Schema } from './openapi-document.ts'

export type FieldRow = {
  /** `data.links[].title`; empty for the value itself. */
  path: string
  type: string
  isRequired: boolean
  isDeprecated: boolean
  /** Such as `3 to 64 characters`, in Markdown. */
  bounds: string[]
  default: string | undefined
  description: string
}

type AnySchema = Schema | Reference
type FieldPosition = { path: string; isRequired: boolean; above: readonly string[] }
type Walk = { document: OpenApiDocument; rows: FieldRow[]; namedDepthMax: number }

// Deeper than anybody would read. Circular references end earlier.
const DEPTH_MAX = 8

/**
 * Every field of a value, nested ones by their path. A value without fields gets one row. Named schemas under a path of more
 * steps than `namedDepthMax` stay closed.
 */
export function fieldRows(
  document: OpenApiDocument,
  schema: AnySchema | undefined,
  namedDepthMax = DEPTH_MAX,
): FieldRow[] {
  if (!schema) return []
  const walk: Walk = { document, rows: [], namedDepthMax }
  addFields(walk, schema, { path: '', isRequired: false, above: [] })
  return walk.rows.length > 0 ? walk.rows : [fieldRow(document, schema, { path: '', isRequired: false })]
}

/** The row of a parameter, a header or a field. */
export function fieldRow(
  document: OpenApiDocument,
  schema: AnySchema,
  at: { path: string; isRequired: boolean },
): FieldRow {
  const own = resolve<Schema>(document, schema)
  const bare = withoutNull(document, own)
  return {
    path: at.path,
    type: typeLabel(document, schema),
    isRequired: at.isRequired,
    isDeprecated: own.deprecated === true,
    bounds: boundsOf(bare),
    default: own.default === undefined ? undefined : JSON.stringify(own.default),
    description: own.description ?? bare.description ?? '',
  }
}

function addFields(walk: Walk, schema: AnySchema, at: FieldPosition): void {
  const name = '$ref' in schema && typeof schema.$ref === 'string' ? schema.$ref : undefined
  if (at.above.length >= DEPTH_MAX || (name !== undefined && at.above.includes(name))) return
  if (name !== undefined && at.path.split('.').length > walk.namedDepthMax) return
  const own = resolve<Schema>(walk.document, schema)
  const above = [...at.above, name ?? '']
  for (const part of variantsOf(own)) addFields(walk, part, { ...at, above })
  if (own.items) addFields(walk, own.items, { ...at, path: `${at.path}[]`, above })
  if (typeof own.additionalProperties === 'object') {
    addFields(walk, own.additionalProperties, { ...at, path: join(at.path, '*'), above })
  }
  for (const [field, fieldSchema] of Object.entries(own.properties ?? {})) {
    const path = join(at.path, field)
    const isRequired = own.required?.includes(field) ?? false
    const row = fieldRow(walk.document, fieldSchema, { path, isRequired })
    // A field that several variants have with the same type gets one row.
    if (walk.rows.some((known) => known.path === path && known.type === row.type)) continue
    walk.rows.push(row)
    addFields(walk, fieldSchema, { path, isRequired, above })
  }
}

const join = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`)

const variantsOf = (schema: Schema): AnySchema[] => [
  ...(schema.allOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.anyOf ?? []),
]

/** "X or null" can be written in three ways. Gives the rules of X. */
function withoutNull(document: OpenApiDocument, schema: Schema): Schema {
  const others = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
    .map((part) => resolve<Schema>(document, part))
    .filter(({ type }) => type !== 'null')
  const only = others.length === 1 && !schema.properties ? others[0] : undefined
  return only ? { ...only, ...schema } : schema
}

/** `string or null`, `array of integer`, `string (date-time)`. */
export function typeLabel(document: OpenApiDocument, schema: AnySchema, depth = 0): string {
  const own = resolve<Schema>(document, schema)
  if (depth > DEPTH_MAX) return 'any'
  const label = (part: AnySchema) => typeLabel(document, part, depth + 1)
  const choices = [...(own.oneOf ?? []), ...(own.anyOf ?? [])].map(label)
  if (choices.length > 0) return [...new Set(choices)].join(' or ')
  const types = typesOf(own)
  if (types.length === 0 && own.allOf) return [...new Set(own.allOf.map(label))].join(' and ')
  return types.map((type) => oneTypeLabel(own, type, label)).join(' or ') || 'any'
}

function oneTypeLabel(schema: Schema, type: string, label: (part: AnySchema) => string): string {
  if (type === 'array' && schema.items) return `array of ${label(schema.items)}`
  const values = schema.additionalProperties
  if (type === 'object' && typeof values === 'object') return `map of ${label(values)}`
  const form = schema.format ?? schema.contentMediaType
  return form && type !== 'null' ? `${type} (${form})` : type
}

/** The types of a schema, or those that its other keywords imply. */
export function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.properties ?? schema.additionalProperties) return ['object']
  if (schema.items) return ['array']
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

function boundsOf(schema: Schema): string[] {
  const low = edge(schema.minimum, schema.exclusiveMinimum)
  const high = edge(schema.maximum, schema.exclusiveMaximum)
  return [
    schema.const === undefined ? '' : `always \`${JSON.stringify(schema.const)}\``,
    schema.enum ? schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ') : '',
    range(low.inside, high.inside, ''),
    low.outside === undefined ? '' : `more than ${low.outside}`,
    high.outside === undefined ? '' : `less than ${high.outside}`,
    schema.multipleOf ? `multiples of ${schema.multipleOf}` : '',
    range(schema.minLength, schema.maxLength, 'characters'),
    isReadable(schema.pattern) ? `\`${schema.pattern}\`` : '',
    range(schema.minItems, schema.maxItems, 'elements'),
  ].filter((bound) => bound !== '')
}

type Edge = { inside?: number; outside?: number }

function edge(inclusive: number | undefined, exclusive: number | boolean | undefined): Edge {
  if (typeof exclusive === 'number') return { outside: exclusive }
  // zod adds the bounds of exact integers, which are not limits of the API.
  if (inclusive === undefined || Math.abs(inclusive) >= Number.MAX_SAFE_INTEGER) return {}
  return exclusive === true ? { outside: inclusive } : { inside: inclusive }
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const words = rangeWords(min === 0 && unit !== '' ? undefined : min, max)
  return words && unit ? `${words} ${unit}` : words
}

function rangeWords(min: number | undefined, max: number | undefined): string {
  const from = min?.toLocaleString('en')
  const to = max?.toLocaleString('en')
  if (from !== undefined && to !== undefined) return from === to ? from : `${from} to ${to}`
  if (from !== undefined) return `at least ${from}`
  return to === undefined ? '' : `at most ${to}`
}

const PATTERN_SHOWN_MAX = 100

/** The description of a long one lists what it allows. */
const isReadable = (pattern: string | undefined): pattern is string =>
  pattern !== undefined && pattern.length <= PATTERN_SHOWN_MAX
