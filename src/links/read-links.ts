import type { z } from 'zod'
import { inTurns } from '../runtime/turns.ts'
import { fieldErrorsOf, validated } from '../errors/field-errors.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { ALIASES_MAX, usedTwice } from './aliases.ts'
import { overTotals } from './bulk/bulk-totals.ts'
import { type LinkTimes, sentTimes, timeConflicts } from './link-times.ts'
import { indexesOverHashesMax, OVER_HASHES_MAX } from './link-password.ts'
import { dryRun, type LinkEdit, linkList, type LinkSchemas, type NewLink } from './link-fields.ts'
import { sentWithUtm } from './utm-parameters.ts'
import { isObject } from '../validation/is-object.ts'

type Input = Record<string, unknown>
type Parsed<Value> = { value: Value; errors?: never } | { value?: never; errors: FieldErrors }

/** `newLink`: as the workspace allows codes. */
type NewLinkSchema = { newLink: z.ZodType<NewLink> }

/** Validates one new link. Throws with the errors of all fields; ignores unknown fields. */
export function readNewLink(input: Input, { newLink }: NewLinkSchema): NewLink {
  return accepted(withRepeated(parseNewLink(newLink, input), input))
}

/** Links of a request that are validated before others get a turn. */
const LINKS_PER_TURN = 5

/** Validates the `links` of a bulk request. Throws if any is invalid, with errors under `links.<index>.<field>`. */
export async function readNewLinks(input: Input, { newLink }: NewLinkSchema): Promise<NewLink[]> {
  const list = validated(linkList, input.links, ['links'])
  const over = overTotals(list)
  if (over.length > 0) throw invalid({ links: over })
  const parsed: Parsed<NewLink>[] = []
  for await (const [index, element] of inTurns(list.entries(), LINKS_PER_TURN))
    parsed.push(parseNewLink(newLink, element, ['links', index]))
  const errors: FieldErrors = Object.assign({}, ...parsed.map(({ errors }) => errors))
  for (const [field, sentences] of Object.entries(fieldErrorsOf(issuesOfList(list), ['links'])))
    errors[field] ??= sentences
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return parsed.flatMap(({ value }) => value ?? [])
}

/** A link of a request as it was read, or the errors of its fields. */
export type ReadLink = Parsed<NewLink>

/** Validates links each by itself: what is wrong with one says nothing about the others. Throws if they are too many. */
export async function readEachLink(links: unknown, newLink: z.ZodType<NewLink>): Promise<ReadLink[]> {
  const list = validated(linkList, links, ['links'])
  const over = overTotals(list)
  if (over.length > 0) throw invalid({ links: over })
  const others = Map.groupBy(issuesOfList(list), ({ path: [index] }) => index)
  const parsed: ReadLink[] = []
  for await (const [index, element] of inTurns(list.entries(), LINKS_PER_TURN)) {
    const issues = others.get(index)?.map(({ path: [_, ...path], ...issue }) => ({ ...issue, path })) ?? []
    const { value, errors } = parseNewLink(newLink, element)
    const all = { ...fieldErrorsOf(issues), ...errors }
    parsed.push(value !== undefined && issues.length === 0 ? { value } : { errors: all })
  }
  return parsed
}

/** What is wrong with links only because of others before them. */
const issuesOfList = (list: readonly unknown[]) => [
  ...repeatedCodes(list),
  ...repeatedExternalIds(list),
  ...indexesOverHashesMax(list).map((index) => ({ path: [index, 'password'], message: OVER_HASHES_MAX })),
]

/** Whether a bulk request is a dry run. */
export function readDryRun(input: Input): boolean {
  return validated(dryRun, input.dry_run, ['dry_run']) ?? false
}

/** Validates an edit of the link with this code. Ignores read-only and unknown fields. */
export function readLinkEdit(
  { code, input }: { code: string; input: Input },
  { linkEdit }: LinkSchemas,
): LinkEdit {
  const { original_url: original, url } = input
  const fields = parseFields(linkEdit, { input, original, url })
  const parsed = withRepeated(withConflicts(fields, input), input)
  const { custom_code: customCode } = input
  if (customCode === undefined || customCode === null || customCode === code) return accepted(parsed)
  throw invalid({ ...parsed.errors, custom_code: ['The custom code cannot be changed.'] })
}

/** A stored field may conflict with one that an edit changes. */
export function refuseConflicts(after: LinkTimes, edit: LinkTimes): void {
  const conflicts = Object.entries(timeConflicts(after, edit)).map(([field, sentence]) => [field, [sentence]])
  if (conflicts.length > 0) throw invalid(Object.fromEntries(conflicts))
}

function accepted<Value>({ value, errors }: Parsed<Value>): Value {
  if (errors !== undefined) throw invalid(errors)
  return value
}

/** For a new link, a destination that is null or empty counts as absent. */
function parseNewLink(
  schema: z.ZodType<NewLink>,
  input: unknown,
  path: readonly PropertyKey[] = [],
): Parsed<NewLink> {
  if (!isObject(input)) {
    return { errors: fieldErrorsOf(schema.safeParse(input).error?.issues ?? [], path) }
  }
  const original = input.original_url ?? undefined
  const url = input.url ?? undefined
  const spellings = (original ?? url) === '' ? {} : { original, url }
  const parsed = parseFields(schema, { input, ...spellings, utm: input.utm }, path)
  return withConflicts(parsed, input, path)
}

/** Beside other errors, what is valid by itself is compared. */
function withConflicts<Value extends LinkTimes>(
  parsed: Parsed<Value>,
  input: Input,
  path: readonly PropertyKey[] = [],
): Parsed<Value> {
  const conflicts = Object.entries(timeConflicts(parsed.value ?? sentTimes(input)))
  if (conflicts.length === 0) return parsed
  const issues = conflicts.map(([field, message]) => ({ path: [field], message }))
  return { errors: { ...parsed.errors, ...fieldErrorsOf(issues, path) } }
}

type SentFields = {
  input: Input
  original?: unknown
  url?: unknown
  /** Written into the destination. Of an edit, that depends on what is stored. */
  utm?: unknown
}

/** `url` is an alias of `original_url`, used in the specification. Errors are reported under the name that was sent. */
function parseFields<Output>(
  schema: z.ZodType<Output>,
  { input, original, url, utm }: SentFields,
  path: readonly PropertyKey[] = [],
): Parsed<Output> {
  const isOne = original === undefined || url === undefined || original === url
  const urlWithUtm = sentWithUtm(original === undefined ? url : original, utm)
  const result = schema.safeParse({ ...input, original_url: urlWithUtm })
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
    const codes = Array.isArray(aliases) && aliases.length <= ALIASES_MAX ? aliases : []
    return [
      { index, field: 'custom_code', code: own },
      ...codes.map((code, at) => ({ index, field: `aliases.${at}`, code })),
    ]
  })
}

const repeated = (path: readonly PropertyKey[], name: string) => ({
  path: [...path],
  message: usedTwice(name),
  params: { code: 'repeated' },
})

/**
 * By the index of the link. Includes links with other errors, so that the client gets all errors at once. That a domain can be named in
 * several ways is known where the links are placed on it.
 */
function repeatedCodes(links: readonly unknown[]) {
  const codesByDomain = new Map<unknown, Set<unknown>>()
  return sentCodes(links).flatMap(({ index, field, code }) => {
    if (code === undefined || code === null) return []
    const domain = (links[index] as Input).domain ?? ''
    const codes = codesByDomain.get(domain) ?? new Set()
    codesByDomain.set(domain, codes)
    if (!codes.has(code)) {
      codes.add(code)
      return []
    }
    return [repeated([index, field], field === 'custom_code' ? 'custom code' : 'alias')]
  })
}

function repeatedExternalIds(links: readonly unknown[]) {
  const ids = links.map((link) => (isObject(link) ? link.external_id || undefined : undefined))
  const firsts = new Map(ids.map((id, index) => [id, index] as const).reverse())
  return [...ids.keys()].flatMap((index) =>
    ids[index] !== undefined && firsts.get(ids[index]) !== index
      ? [repeated([index, 'external_id'], 'external id')]
      : [],
  )
}

/** Errors of a single field come first. */
const withRepeated = <Value>(parsed: Parsed<Value>, input: Input): Parsed<Value> => {
  const issues = repeatedCodes([input]).map(({ path: [_, ...path], ...issue }) => ({ ...issue, path }))
  return issues.length === 0 ? parsed : { errors: { ...fieldErrorsOf(issues), ...parsed.errors } }
}
