import type { FieldErrors } from '../errors/refusal.ts'

/** Names of fields in sentences of the API, and what tables of links call them. */
const NAMES_IN_TABLES = [
  [/^The original url\b/, 'The destination'],
  [/^The custom code\b/, 'The code'],
] as const

/** What is wrong with a link, for people who have never seen the API. */
export function refusalSentences({ url, ...errors }: FieldErrors): FieldErrors {
  // The API has two names for the destination, and says of both that it is missing.
  const all = errors.original_url === undefined && url !== undefined ? { ...errors, url } : errors
  return Object.fromEntries(
    Object.entries(all).map(([field, sentences]) => [
      field,
      sentences.map((sentence) =>
        NAMES_IN_TABLES.reduce((text, [name, inTables]) => text.replace(name, inTables), sentence),
      ),
    ]),
  )
}
