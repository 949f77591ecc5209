import { boundaryJson, boundaryTexts } from './boundary-values.ts'
import * as hostile from './hostile-texts.data.ts'
import { jsonAt, leavesOf } from './nested-values.ts'
import type { Field, Operation } from './operations.ts'

/** A valid request that mutations change. */
export type Draft = {
  method: string
  /** Percent-encoded. */
  path: string
  query: string[]
  headers: string[]
  /** JSON by field; a field may be there twice. */
  fields: [name: string, json: string][]
  /** In place of the fields; Latin-1. */
  body: string | undefined
  /** The body goes out in chunks, with all that HTTP allows between them. */
  isChunked: boolean
  isBroken: boolean
}

/** Where in a request a field stands. */
export type FieldOfPart = { part: 'query' | 'headers' | 'body'; field: Field }
export type Random = { below(count: number): number; of<Value>(values: readonly Value[]): Value }
export type Mutation = (draft: Draft, random: Random, operation: Operation) => void

/** Kinds of mutations; those with many variants are listed twice. */
export const MUTATIONS: [kind: string, Mutation][] = [
  ['a value', changeValue],
  ['a boundary', reachBoundary],
  ['a boundary', reachBoundary],
  ['a value in a value', changeNested],
  ['a value in a value', changeNested],
  ['a repeated key', repeatKey],
  ['another field', (draft, random) => void draft.fields.push([random.of(hostile.TEXTS), anyJson(random)])],
  ['another body', (draft, random) => void (draft.body = random.of(hostile.BODIES))],
  ['too large a body', enlargeBody],
  ['chunks', (draft) => void (draft.isChunked = true)],
  ['a parameter', addParameter],
  ['a parameter', addParameter],
  ['a query', (draft, random) => void draft.query.push(random.of(hostile.QUERIES))],
  ['a code', changeCode],
  ['a code', changeCode],
  ['a path', changePath],
  ['a header', (draft, random) => void draft.headers.push(random.of(hostile.HEADERS))],
  ['another header', replaceHeader],
  ['a key elsewhere', moveKey],
  ['a long head', lengthenHead],
  ['a method', (draft, random) => void (draft.method = random.of(hostile.METHODS))],
  ['a broken line', breakLine],
]

const anyJson = (random: Random) =>
  random.below(2) === 0 ? JSON.stringify(random.of(hostile.TEXTS)) : random.of(hostile.JSON_FRAGMENTS)

function setField(draft: Draft, name: string, json: string): void {
  draft.fields = [...draft.fields.filter(([field]) => field !== name), [name, json]]
}

function changeValue(draft: Draft, random: Random, { body }: Operation): void {
  setField(draft, body.length > 0 ? random.of(body).name : 'original_url', anyJson(random))
}

/** Anywhere in a value that has others in it, and in lists of any length. */
function changeNested(draft: Draft, random: Random, { body }: Operation): void {
  const nested = body.filter(({ schema }) => schema.items !== undefined || leavesOf(schema).length > 1)
  if (nested.length === 0) return
  const { name, schema } = random.of(nested)
  const place = random.of(leavesOf(schema))
  const json = random.below(2) === 0 ? anyJson(random) : random.of(boundaryJson(place.schema))
  // A name is a text; a text that is long stands there once.
  const isName = place.path.at(-1) === '{}'
  const leaf = isName && !json.startsWith('"') ? JSON.stringify(json.slice(0, 100)) : json
  const { maxItems = 20 } = schema
  const count = leaf.length > 100 ? 1 : random.of([1, 1, 1, 2, maxItems, maxItems + 1, 2_000])
  setField(draft, name, jsonAt(schema, place.path, { json: leaf, count }))
}

/** Of one of the operation's own fields, headers or parameters, or of the number of its elements. */
function reachBoundary(draft: Draft, random: Random, { body, headers, query, bulkMax }: Operation): void {
  if (bulkMax !== undefined && random.below(4) === 0) {
    const count = random.of([0, 1, bulkMax - 1, bulkMax, bulkMax + 1])
    draft.body = `{"links":[${Array(count).fill('{"url":"https://example.com/"}').join()}]}`
  } else if (headers.length > 0 && random.below(4) === 0) {
    setBoundary(draft, random, { part: 'headers', field: random.of(headers) })
  } else if (body.length > 0) {
    setBoundary(draft, random, { part: 'body', field: random.of(body) })
  } else if (query.length > 0) {
    setBoundary(draft, random, { part: 'query', field: random.of(query) })
  } else draft.query.push(`page=${random.of(boundaryTexts({ minimum: 1 }))}`)
}

/** A value at, below or above a bound of the field. */
export function setBoundary(draft: Draft, random: Random, { part, field }: FieldOfPart): void {
  const { name, schema } = field
  if (part === 'body') return setField(draft, name, random.of(boundaryJson(schema)))
  const text = random.of(boundaryTexts(schema))
  if (part === 'headers') draft.headers.push(`${name}: ${text}`)
  else draft.query.push(`${name}=${encodeURIComponent(text)}`)
}

function repeatKey(draft: Draft, random: Random): void {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', ...draft.fields.map(([name]) => name)]
  const name = random.of(names)
  draft.fields.push([name, anyJson(random)], [name, random.of(['{"is_active":false}', '"x"', 'null'])])
}

/** Of what reads its body; of the others, that is one body among many. A few will do: each is a megabyte. */
function enlargeBody(draft: Draft, random: Random, { body }: Operation): void {
  if (body.length > 0 && random.below(4) === 0) draft.body = ' '.repeat(1_100_000)
}

function addParameter(draft: Draft, random: Random, { query }: Operation): void {
  const name =
    query.length > 0 && random.below(8) > 0
      ? random.of(query).name
      : random.of(['api_key', 'page', '__proto__', 'x'])
  const parameter = `${name}=${encoded(random.of(hostile.TEXTS), random)}`
  draft.query.push(parameter)
  if (random.below(8) === 0) draft.query.push(parameter)
}

function changeCode(draft: Draft, random: Random, { path }: Operation): void {
  draft.path = path.replaceAll(/\{\w+\}/g, () => encoded(random.of(hostile.TEXTS), random))
}

function changePath(draft: Draft, random: Random): void {
  const { path } = draft
  const text = encoded(random.of(hostile.TEXTS), random)
  draft.path = random.of([
    `${path}/`,
    `/${path}`,
    `${path}/${text}`,
    `${path}${text}`,
    `/${text}${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/./${path}`,
    `/../../..${path}`,
    `${path}/..%2f..%2f..%2fetc%2fpasswd`,
    `${path}%c0%ae%c0%ae%c0%af`,
    path.toUpperCase(),
    path.replaceAll('/', '//'),
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.replace(/[a-z]/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
    path.replaceAll('/', '%2F').replace('%2F', '/'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    `${path};a=b`,
    `${path}#${text}`,
  ])
}

function replaceHeader(draft: Draft, random: Random): void {
  draft.headers.splice(random.below(2), 1, random.of(hostile.HEADERS))
}

/** Into another header, the query, or several places at once; whole, or spoiled. */
function moveKey(draft: Draft, random: Random): void {
  const line = draft.headers.find((header) => header.startsWith('X-API-Key: ')) ?? ''
  const key = line.slice('X-API-Key: '.length)
  const spoiled = random.of([key, key, key.toUpperCase(), `${key}x`, key.slice(0, -1), ` ${key}`, `"${key}"`])
  if (random.below(2) === 0) draft.headers = draft.headers.filter((header) => header !== line)
  if (random.below(2) === 0) draft.headers.push(`Authorization: Bearer ${spoiled}`)
  if (random.below(2) === 0) draft.headers.push(`X-API-Key: ${spoiled}`)
  if (random.below(2) === 0) draft.query.push(`api_key=${encodeURIComponent(spoiled)}`)
}

/** Up to and over what the redirect server and the API server read of a head. */
function lengthenHead(draft: Draft, random: Random): void {
  const length = random.of([4_000, 8_000, 8_192, 14_000, 16_000, 16_384, 20_000, 70_000])
  const place = random.of(['query', 'header', 'headers'])
  if (place === 'query') draft.query.push('a'.repeat(length))
  else if (place === 'header') draft.headers.push(`X-Long: ${'a'.repeat(length)}`)
  else for (let i = 0; i < random.of([90, 98, 101, 150]); i++) draft.headers.push(`X-${i}: a`)
}

function breakLine(draft: Draft, random: Random): void {
  draft.isBroken = true
  if (random.below(4) === 0) draft.method = random.of(hostile.BROKEN_METHODS)
  else draft.headers.push(random.of(hostile.BROKEN_LINES))
}

/** A text in a path or query: rightly encoded or, by chance, not quite. Never anything that would end the line. */
function encoded(text: string, random: Random): string {
  const bytes = Buffer.from(text)
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const onlyBreaking = bytes
    .toString('latin1')
    .replaceAll(/[\x00-\x20\x7f]/g, (byte) => encodeURIComponent(byte))
  const well = encodeURIComponent(text.toWellFormed())
  return random.of([
    well,
    well,
    everyByte,
    onlyBreaking,
    encodeURIComponent(well),
    `${well}%`,
    `${well}%ff`,
    `%zz${well}`,
    `${well}%00`,
  ])
}
