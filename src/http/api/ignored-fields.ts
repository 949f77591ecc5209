import { z } from '@hono/zod-openapi'
import type { Answer, Endpoint } from './endpoint.ts'

/** The message names the first of them. */
const NAMED_MAX = 5
const NAME_LENGTH_MAX = 40

type Described = Pick<Endpoint, 'body' | 'answer'>

/**
 * The answer to a request that succeeded. Its message names the fields that the endpoint does not know, so that a misspelled
 * one is noticed. Fields of the response may be sent back: they are ignored silently.
 */
export function namingIgnored(endpoint: Described, input: Record<string, unknown>, answer: Answer): Answer {
  const names = ignoredFields(endpoint, input)
  if (names.length === 0) return answer
  const body: { message: string } =
    typeof answer.body === 'string' ? JSON.parse(answer.body) : (answer.body as { message: string })
  const shown = names.slice(0, NAMED_MAX).map(shortened).join(', ')
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  const message = `${body.message} Unknown fields were ignored: ${shown}${more}.`
  return { ...answer, body: { ...body, message } }
}

function ignoredFields({ body, answer }: Described, input: Record<string, unknown>): string[] {
  if (body === undefined) return []
  const { shape } = body.schema
  const silent = new Set([...(body.ignored ?? []), ...fieldsOfData(answer.schema)])
  const unknown = unknownKeys(input, { shape, silent })
  const list: unknown = shape.links
  const element = list instanceof z.ZodArray ? list.element : undefined
  if (!(element instanceof z.ZodObject) || !Array.isArray(input.links)) return unknown
  const ofLinks = input.links.flatMap((link) => unknownKeys(link, { shape: element.shape, silent }))
  return [...new Set([...unknown, ...ofLinks])]
}

const fieldsOfData = (schema: z.ZodType): string[] => {
  const data = schema instanceof z.ZodObject ? schema.shape.data : undefined
  return data instanceof z.ZodObject ? Object.keys(data.shape) : []
}

const unknownKeys = (object: object, known: { shape: object; silent: ReadonlySet<string> }): string[] =>
  Object.keys(object).filter((name) => !Object.hasOwn(known.shape, name) && !known.silent.has(name))

function shortened(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{C}/gu, ' ')
  return plain.length > NAME_LENGTH_MAX ? `${plain.slice(0, NAME_LENGTH_MAX).toWellFormed()}…` : plain
}
