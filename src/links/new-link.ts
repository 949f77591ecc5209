import { customCodeFaults } from '../codes/custom-code.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import { type DestinationRules, readDestination } from './destination.ts'
import { titleFaults } from './title.ts'

/** A link that may be stored, but for its code, of which the database is the judge. */
export type NewLink = {
  originalUrl: string
  /** Pure ASCII: what the redirect sends. */
  targetUrl: string
  title: string
  isActive: boolean
  /** Undefined: one is assigned. */
  customCode: string | undefined
}

export const BULK_LINKS_MAX = 100

type Input = Record<string, unknown>

/** Reads the fields of one new link; refused with every fault of every field. Unknown fields are ignored. */
export function readNewLink(input: Input, rules: DestinationRules): NewLink {
  const fields: FieldErrors = {}
  const link = collectNewLink(input, rules, fields)
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return link
}

/** Reads the `links` of a bulk request; all or nothing, faults under `links.<index>.<field>`. */
export function readNewLinks(input: Input, rules: DestinationRules): NewLink[] {
  const { links } = input
  if (links === undefined || links === null) throw invalid({ links: ['The links field is required.'] })
  if (!Array.isArray(links)) throw invalid({ links: ['The links must be an array.'] })
  if (links.length < 1 || links.length > BULK_LINKS_MAX) {
    throw invalid({ links: [`The links must have between 1 and ${BULK_LINKS_MAX} items.`] })
  }
  const fields: FieldErrors = {}
  const read = links.map((element, index) => {
    const own: FieldErrors = {}
    const link = isObject(element) ? collectNewLink(element, rules, own) : undefined
    if (link === undefined) fields[`links.${index}`] = [`The links.${index} must be an object.`]
    for (const [field, faults] of Object.entries(own)) fields[bulkField(index, field)] = faults
    return link
  })
  noteRepeatedCodes(read, fields)
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return read as NewLink[]
}

/** The name of an element's field in the answer to a bulk request. */
export const bulkField = (index: number, field: string): string => `links.${index}.${field}`

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function collectNewLink(input: Input, rules: DestinationRules, fields: FieldErrors): NewLink {
  const { title, custom_code: customCode, is_active: isActive } = input
  const destination = readEitherUrl(input, rules, fields)
  const note = (field: string, faults: string[]) => void (faults.length > 0 && (fields[field] = faults))
  if (title !== undefined && title !== null) note('title', titleFaults(title))
  if (customCode !== undefined && customCode !== null) note('custom_code', customCodeFaults(customCode))
  if (isActive !== undefined && isActive !== null) note('is_active', activeFaults(isActive))
  return {
    ...destination,
    title: (title ?? '') as string,
    isActive: (isActive ?? true) as boolean,
    customCode: (customCode ?? undefined) as string | undefined,
  }
}

/** `original_url`, or `url`, which the specification's examples use for it. */
function readEitherUrl(input: Input, rules: DestinationRules, fields: FieldErrors) {
  const original = input.original_url ?? undefined
  const short = input.url ?? undefined
  const nothing = { originalUrl: '', targetUrl: '' }
  if ((original ?? short) === undefined || (original ?? short) === '') {
    fields.original_url = ['The original url field is required.']
    fields.url = ['The url field is required.']
    return nothing
  }
  if (original !== undefined && short !== undefined && original !== short) {
    fields.url = ['The url and original url must be the same when both are sent.']
    return nothing
  }
  const field = original === undefined ? 'url' : 'original_url'
  return readUrlField({ field, value: original ?? short }, rules, fields) ?? nothing
}

/** One URL under the name that the client used for it; undefined when it is refused. */
export function readUrlField(
  { field, value }: { field: string; value: unknown },
  rules: DestinationRules,
  fields: FieldErrors,
): { originalUrl: string; targetUrl: string } | undefined {
  const destination = readDestination(value, rules, field.replaceAll('_', ' '))
  if ('href' in destination) return { originalUrl: value as string, targetUrl: destination.href }
  fields[field] = destination.faults
  return undefined
}

export const activeFaults = (value: unknown): string[] =>
  typeof value === 'boolean' ? [] : ['The is active field must be true or false.']

function noteRepeatedCodes(links: readonly (NewLink | undefined)[], fields: FieldErrors): void {
  const seen = new Set<string>()
  links.forEach((link, index) => {
    if (link?.customCode === undefined) return
    if (seen.has(link.customCode)) {
      fields[bulkField(index, 'custom_code')] ??= ['The custom code is used twice in this request.']
    }
    seen.add(link.customCode)
  })
}
