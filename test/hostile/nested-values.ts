import type { Schema } from './operations.ts'

// Values with other values in them: rules, conditions, settings, lists of names. All that is not asked about is good.

/** Good JSON, by the name of a property. */
const GOOD: Record<string, string> = {
  to: '"https://example.com/"',
  weight: '1',
  from: '"09:00"',
  timezone: '"UTC"',
  name: '"A name"',
}

/** Where a value stands: a property's name, or one of these. */
const ELEMENT = '[]'
const OWN_NAME = '{}'
type Step = string

export type NestedValue = { path: Step[]; schema: Schema }

/** All places within a value of this schema where a value stands that has none in it, and names that are free to choose. */
export function leavesOf(schema: Schema, path: Step[] = []): NestedValue[] {
  const { items, properties, additionalProperties } = schema
  const leaves: NestedValue[] = []
  if (items !== undefined) leaves.push(...leavesOf(items, [...path, ELEMENT]))
  for (const [name, each] of Object.entries(properties ?? {})) leaves.push(...leavesOf(each, [...path, name]))
  if (typeof additionalProperties === 'object')
    leaves.push({ path: [...path, OWN_NAME], schema: {} }, ...leavesOf(additionalProperties, [...path, 'a']))
  return leaves.length === 0 ? [{ path, schema }] : leaves
}

/** The JSON of a value with this JSON at the place; `count` times where its first list is. */
export function jsonAt(
  schema: Schema,
  [step, ...rest]: readonly Step[],
  leaf: { json: string; count: number },
): string {
  if (step === undefined) return leaf.json
  if (step === OWN_NAME) return `{${leaf.json}:true}`
  if (step === ELEMENT) {
    const element = jsonAt(schema.items!, rest, { ...leaf, count: 1 })
    // A split of one part is refused before its parts are looked at.
    const others = Array((schema.minItems ?? 0) > 1 ? 1 : 0).fill(goodJson(schema.items!))
    return `[${[...Array(leaf.count).fill(element), ...others].join()}]`
  }
  const { properties = {} } = schema
  const own = properties[step] ?? (schema.additionalProperties as Schema)
  const others = Object.keys(properties).filter(
    (name) => name !== step && (schema.required?.includes(name) || (name === 'to' && step === 'when')),
  )
  const pairs = others.map((name) => goodPair(name, properties))
  return `{${[...pairs, `${JSON.stringify(step)}:${jsonAt(own, rest, leaf)}`].join()}}`
}

const goodJson = ({ properties = {} }: Schema): string =>
  `{${Object.keys(properties)
    .map((name) => goodPair(name, properties))
    .join()}}`

/** Rules lead to a URL, hours to a time. */
const goodPair = (name: string, { timezone }: Record<string, Schema>): string =>
  `"${name}":${name === 'to' && timezone !== undefined ? '"10:00"' : (GOOD[name] ?? 'null')}`
