import type { z } from 'zod'
import { type CodedSentence, codedSentences, type FieldCode } from './field-codes.ts'
import { type FieldErrors, invalid } from './refusal.ts'

/** `keys`: those that a strict object does not know. `params`: what a schema of ours says about its issue. */
type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & {
  keys?: readonly string[]
  params?: { code?: unknown } | undefined
}

/** A refusal names the first of them. */
const UNKNOWN_KEYS_NAMED_MAX = 10
const UNKNOWN_KEY_LENGTH_MAX = 100

/**
 * Turns the issues of a schema into the errors of a refusal. In messages, `:attribute` stands for the name of the field, as in
 * Laravel, whose wording the specification requires. So fields with different names can share a schema.
 */
export function fieldErrorsOf(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): FieldErrors {
  // A map: a name from outside may be one that every object has, such as `constructor`.
  const errors = new Map<string, CodedSentence[]>()
  for (const { path, message, params } of issues.flatMap(byKey)) {
    const full = [...prefix, ...path]
    const name = full.join('.')
    // A function: a name from outside may contain the patterns of replace().
    const sentence = message.replace(':attribute', () => attributeOf(full))
    const code = params?.code as FieldCode | undefined
    errors.set(name, [...(errors.get(name) ?? []), { sentence, code }])
  }
  return Object.fromEntries([...errors].map(([name, coded]) => [name, codedSentences(coded)]))
}

/** The value as the schema reads it. Throws a refusal with all of its errors, whose fields begin with `path`. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(fieldErrorsOf(parsed.error.issues, path))
  return parsed.data
}

const byKey = (issue: Issue): Issue[] =>
  issue.keys?.slice(0, UNKNOWN_KEYS_NAMED_MAX).map((key) => ({
    path: [...issue.path, key.slice(0, UNKNOWN_KEY_LENGTH_MAX)],
    message: 'The :attribute field is unknown.',
  })) ?? [issue]

/** Fields whose own names are no nouns, by their name or with that of their parent: `*` for an element of a list, '' for none. */
const PLAIN_NAMES = new Map([
  ['starts_at', 'start'],
  ['expires_at', 'end'],
  ['ends_at', 'end'],
  ['max_clicks', 'click limit'],
  ['*.to', 'destination'],
  ...['', 'between', 'hours'].flatMap((parent): [string, string][] => [
    [`${parent}.from`, 'start'],
    [`${parent}.to`, 'end'],
  ]),
])

/** `links.3.original_url` is called "original url", and `links.3` by its full name. */
function attributeOf(path: readonly PropertyKey[]): string {
  const last = path.at(-1)
  if (typeof last !== 'string') return path.join('.')
  const parent = path.at(-2) ?? ''
  const qualified = `${typeof parent === 'string' ? parent : '*'}.${last}`
  return PLAIN_NAMES.get(last) ?? PLAIN_NAMES.get(qualified) ?? last.replaceAll('_', ' ')
}
