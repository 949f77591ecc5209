import type { FieldErrors } from '../errors/refusal.ts'

/** What sentences of the API call fields and what was sent, and what people who import links call them. */
const NAMES = [
  [/^The original url\b/, 'The destination'],
  [/^The custom code\b/, 'The code'],
  [/\bin this request\b/, 'in this import'],
] as const

/** What is wrong with a link, for people who have never seen the API. */
export function refusalSentences({ url, ...errors }: FieldErrors): FieldErrors {
  // The API has two names for the destination, and says of both that it is missing.
  const all = errors.original_url === undefined && url !== undefined ? { ...errors, url } : errors
  return Object.fromEntries(
    Object.entries(all).map(([field, sentences]) => [
      field,
      sentences.map((sentence) =>
        NAMES.reduce((text, [name, ofImport]) => text.replace(name, ofImport), sentence),
      ),
    ]),
  )
}
