import type { z } from 'zod'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { ALIASES_MAX } from './aliases.ts'
import { optionConflicts } from './link-options.ts'
import { indexesOverHashesMax, OVER_HASHES_MAX } from './link-password.ts'
import { type LinkEdit, linkList, type LinkSchemas, type NewLink } from './link-fields.ts'
import { sentWithUtm } from './utm-parameters.ts'

type Input = Record<string, unknown>
type Parsed<Value> = { value: Value; errors?: never } | { value?: never; errors: FieldErrors }

/** Validates one new link. Throws with the errors of all fields; ignores unknown fields. */
export function readNewLink(input: Input, { newLink }: LinkSchemas): NewLink {
  return accepted(withRepeated(parseNewLink(newLink, input), input))
}

/** Validates the `links` of a bulk request. Throws if any is invalid, with errors under `links.<index>.<field>`. */
export function readNewLinks(input: Input, { newLink }: LinkSchemas): NewLink[] {
  const list = linkList.safeParse(input.links ?? undefined)
  if (!list.success) throw invalid(fieldErrorsOf(list.error.issues, ['links']))
  const parsed = list.data.map((element, index) => parseNewLink(newLink, element, ['links', index]))
  const errors: FieldErrors = Object.assign({}, ...parsed.map(({ errors }) => errors))
  for (const [field, messages] of Object.entries(repeatedCodes(list.data, bulkField)))
    errors[field] ??= messages
  for (const index of indexesOverHashesMax(list.data))
    errors[bulkField(index, 'password')] ??= [OVER_HASHES_MAX]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return parsed.flatMap(({ value }) => value ?? [])
}

export const bulkField = (index: number, field: string): string => `links.${index}.${field}`

/** Validates an edit of the link with this code. Ignores read-only and unknown fields. */
export function readLinkEdit(
  { code, input }: { code: string; input: Input },
  { linkEdit }: LinkSchemas,
): LinkEdit {
  const { original_url: original, url } = input
  const parsed = withRepeated(parseFields(linkEdit, { input, original, url }), input)
  const { custom_code: customCode } = input
  if (customCode === undefined || customCode === null || customCode === code) return accepted(parsed)
  throw invalid({ ...parsed.errors, custom_code: ['The custom code cannot be changed.'] })
}

function accepted<Value>({ value, errors }: Parsed<Value>): Value {
  if (errors !== undefined) throw invalid(errors)
  return value
}

/** For a new link, a destination that is null or empty counts as absent. */
function parseNewLink(
  schema: LinkSchemas['newLink'],
  input: unknown,
  path: readonly PropertyKey[] = [],
): Parsed<NewLink> {
  if (!isObject(input)) {
    return { errors: fieldErrorsOf(schema.safeParse(input).error?.issues ?? [], path) }
  }
  const original = input.original_url ?? undefined
  const url = input.url ?? undefined
  const sent = (original ?? url) === '' ? {} : { original, url }
  const parsed = parseFields(schema, { input, ...sent }, path)
  const conflicts = Object.entries(optionConflicts(parsed.value ?? {}))
  if (conflicts.length === 0) return parsed
  return {
    errors: fieldErrorsOf(
      conflicts.map(([field, message]) => ({ path: [field], message })),
      path,
    ),
  }
}

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `url` is an alias of `original_url`, used in the specification. Errors are reported under the name that was sent. */
function parseFields<Output>(
  schema: z.ZodType<Output>,
  { input, original, url }: { input: Input; original?: unknown; url?: unknown },
  path: readonly PropertyKey[] = [],
): Parsed<Output> {
  const isOne = original === undefined || url === undefined || original === url
  const sent = sentWithUtm(original === undefined ? url : original, input.utm)
  const result = schema.safeParse({ ...input, original_url: sent })
  if (result.success && isOne) return { value: result.data }

  const names = isOne ? urlNames(original, url) : []
  const issues = (result.error?.issues ?? []).flatMap((issue) =>
    issue.path[0] === 'original_url' ? names.map((name) => ({ ...issue, path: [name] })) : issue,
  )
  return { errors: fieldErrorsOf(isOne ? issues : [TWO_URLS, ...issues], path) }
}

const TWO_URLS = {
  path: ['url'],
  message: 'The url and original url must be the same when both are sent.',
}

function urlNames(original: unknown, url: unknown): string[] {
  if (original === undefined && url === undefined) return ['original_url', 'url']
  return [original === undefined ? 'url' : 'original_url']
}

/** A code that a request asks for, by the index of the link and the field that has it; not validated. */
export type SentCode = { index: number; field: string; code: unknown }

/** Every code that new links ask for. Those of a list that is too long are left out: the list is refused as a whole. */
export function sentCodes(links: readonly unknown[]): SentCode[] {
  return links.flatMap((link, index) => {
    if (!isObject(link)) return []
    const { custom_code: own, aliases } = link
    const listed = Array.isArray(aliases) && aliases.length <= ALIASES_MAX ? aliases : []
    return [
      { index, field: 'custom_code', code: own },
      ...listed.map((code, at) => ({ index, field: `aliases.${at}`, code })),
    ]
  })
}

type FieldName = (index: number, field: string) => string

/** Includes links with other errors, so that the client gets all errors at once. */
function repeatedCodes(links: readonly unknown[], fieldName: FieldName): FieldErrors {
  const errors: FieldErrors = {}
  const seen = new Set<unknown>()
  for (const { index, field, code } of sentCodes(links)) {
    if (code === undefined || code === null) continue
    if (seen.has(code)) {
      const name = field === 'custom_code' ? 'custom code' : 'alias'
      errors[fieldName(index, field)] = [`The ${name} is used twice in this request.`]
    }
    seen.add(code)
  }
  return errors
}

/** What one field has is told first. */
const withRepeated = <Value>(parsed: Parsed<Value>, input: Input): Parsed<Value> => {
  const repeated = repeatedCodes([input], (_, field) => field)
  return Object.keys(repeated).length === 0 ? parsed : { errors: { ...repeated, ...parsed.errors } }
}
