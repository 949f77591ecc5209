import { z } from '@hono/zod-openapi'
import type { Query } from '../requests/query.ts'
import { KEY_PARAMETER } from './admit-key.ts'
import { type Endpoint, namesLink } from './endpoint.ts'
import type { SchemaDeps } from './body-and-query.ts'

/** The message names the first of them. */
const NAMED_MAX = 5
const NAME_LENGTH_MAX = 40

type Described = Pick<Endpoint, 'path' | 'query' | 'input' | 'answer'>

/**
 * The message of a request that succeeded. It names the fields and parameters that the endpoint does not know, so that a misspelled
 * one is noticed. Fields of the response may be sent back: they are ignored silently.
 */
export function messageNamingIgnored(
  endpoint: Described,
  deps: SchemaDeps,
  { message, body, query }: { message: string; body: Record<string, unknown>; query: Query },
): string {
  return [
    message,
    ...sentenceOf('fields', ignoredFields(endpoint, deps, body)),
    ...sentenceOf('parameters', ignoredParameters(endpoint, query)),
  ].join(' ')
}

function sentenceOf(what: 'fields' | 'parameters', names: readonly string[]): string[] {
  if (names.length === 0) return []
  const list = names.slice(0, NAMED_MAX).map(shortened).join(', ')
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  return [`Unknown ${what} were ignored: ${list}${more}.`]
}

function ignoredParameters(endpoint: Described, sent: Query): string[] {
  const known = new Set([KEY_PARAMETER, ...Object.keys(endpoint.query?.schema.shape ?? {})])
  if (namesLink(endpoint)) known.add('domain')
  return Object.keys(sent).filter((name) => !known.has(name))
}

function ignoredFields(
  { input, answer }: Described,
  deps: SchemaDeps,
  body: Record<string, unknown>,
): string[] {
  if (input === undefined) return []
  const { shape } = input.schema(deps)
  const silent = new Set([...(input.ignored ?? []), ...fieldsOfData(answer.data)])
  const unknown = unknownKeys(body, { shape, silent })
  const list: unknown = shape.links
  const element = list instanceof z.ZodArray ? list.element : undefined
  if (!(element instanceof z.ZodObject) || !Array.isArray(body.links)) return unknown
  const ofLinks = body.links.flatMap((link) => unknownKeys(link, { shape: element.shape, silent }))
  return [...new Set([...unknown, ...ofLinks])]
}

const fieldsOfData = (data: z.ZodType | undefined): string[] =>
  data instanceof z.ZodObject ? Object.keys(data.shape) : []

const unknownKeys = (object: object, known: { shape: object; silent: ReadonlySet<string> }): string[] =>
  Object.keys(object).filter((name) => !Object.hasOwn(known.shape, name) && !known.silent.has(name))

function shortened(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{C}/gu, ' ')
  return plain.length > NAME_LENGTH_MAX ? `${plain.slice(0, NAME_LENGTH_MAX).toWellFormed()}…` : plain
}
