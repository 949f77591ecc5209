import type { Operation, Schema } from './operations.ts'

// Bodies with lists that are as long as they may be, from the schemas of the document.

/** The names of the fields that lead to a list. Below a list, those of its items. */
export type ListPlace = string[]

/** Good values of texts by their names, or by those of their object and their own; others are made up. */
export type Samples = Record<string, (n: number) => unknown>

const isOf = ({ type }: Schema, kind: string) => [type].flat().includes(kind)
const propertiesOf = ({ items, properties }: Schema): [string, Schema][] =>
  Object.entries(items?.properties ?? properties ?? {})

/** Every list in the body of an operation; of a bulk request, every list in one of its links. */
export const listsIn = ({ body }: Operation): ListPlace[] =>
  body.flatMap(({ name, schema }) => listsAt(schema, [name]))

function listsAt(schema: Schema, place: ListPlace): ListPlace[] {
  const own = isOf(schema, 'array') ? [place] : []
  return [...own, ...propertiesOf(schema).flatMap(([name, each]) => listsAt(each, [...place, name]))]
}

type Filling = {
  place: ListPlace
  samples: Samples
  /** Lists get this share of what they may have. */
  share: number
}

/** The body with this list, and what is required beside it. Lists on the way to it, and required ones, are filled too. */
export function fullBody({ body, bulkMax }: Operation, filling: Filling): object {
  const properties = Object.fromEntries(body.map(({ name, schema }) => [name, schema]))
  const required = body.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const fill = (n: number) => filledObject({ properties, required }, { ...filling, parent: '', n })
  if (bulkMax !== undefined)
    return { links: Array.from({ length: bulkMax }, (_, n) => fill(n)), dry_run: true }
  return { ...fill(0), ...(properties.dry_run === undefined ? {} : { dry_run: true }) }
}

type Here = Filling & { parent: string; n: number }

function filledObject(schema: Schema, { place, ...here }: Here): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const [next, ...rest] = place
  // A rule leads to one destination, unless it has several.
  const also = properties.split !== undefined && next !== 'split' ? ['to'] : []
  const names = new Set([...required, ...also, ...(next === undefined ? [] : [next])])
  const values = [...names].map((name) => [
    name,
    filledValue(properties[name]!, name, { ...here, place: name === next ? rest : [] }),
  ])
  return Object.fromEntries(values)
}

function filledValue(schema: Schema, name: string, here: Here): unknown {
  const { samples, parent, n, share } = here
  const sample = samples[`${parent}.${name}`] ?? samples[name]
  if (isOf(schema, 'array')) {
    const most = schema.maxItems ?? 1
    const length = Math.max(schema.minItems ?? 1, Math.floor(most * share))
    return Array.from({ length }, (_, at) => filledValue(schema.items!, name, { ...here, n: n * most + at }))
  }
  if (sample !== undefined && here.place.length === 0) return sample(n)
  if (schema.enum !== undefined) return schema.enum[n % schema.enum.length]
  if (isOf(schema, 'object')) return filledObject(schema, { ...here, parent: name })
  if (isOf(schema, 'integer')) return schema.minimum ?? 1
  return isOf(schema, 'boolean') ? true : `${name} ${n}`
}
