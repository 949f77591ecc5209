import { z } from 'zod'

// Rules that several fields share. In messages, `:attribute` stands for the name of the field; see fieldErrorsOf.

export const REQUIRED = 'The :attribute field is required.'
export const NOT_A_STRING = 'The :attribute must be a string.'

const CONTROL = /[\x00-\x1f\x7f]/
/** Line breaks and tabs are allowed. */
const CONTROL_IN_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** The longest is like `2026-11-23T09:30:00.123456789+01:00`. */
const TIME_LENGTH_MAX = 40
/** Microseconds from 1970 are exact numbers in all of these years, and not in all of the next ones. */
const YEARS = { first: 1685, last: 2254 }
const TIMES_MS = { from: Date.UTC(YEARS.first, 0), to: Date.UTC(YEARS.last + 1, 0) }
const OUT_OF_TIME = `The :attribute must be between the years ${YEARS.first} and ${YEARS.last}.`
const NOT_A_TIME = 'The :attribute must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.'

/** A text that is only compared, such as a token or a password. Anything but a string is '', which equals none. */
export const comparedText = z.string().catch('')

/** A text that may be left out: '' then. */
export const textOrNone = (error: string) =>
  z
    .string(error)
    .nullish()
    .transform((text) => text ?? '')

/** One of a few words. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `The :attribute must be one of ${words.join(', ')}.`)

export const trueOrFalse = z.boolean('The :attribute field must be true or false.')

const NOT_A_DAY = 'The :attribute must be a day since 1970, such as 2026-11-20.'

/** A day of the calendar, without a zone. */
export const day = z
  .string(NOT_A_DAY)
  .refine((text) => z.iso.date().safeParse(text).success && text >= '1970-01-01', NOT_A_DAY)
  .meta({ format: 'date' })

/** `#rrggbb` in lower case. */
export const hexColor = z
  .string(NOT_A_STRING)
  .refine((text) => /^#[0-9a-f]{6}$/i.test(text), 'The :attribute must be a color such as #1a73e8.')
  .transform((text) => text.toLowerCase())
  .meta({ pattern: '^#[0-9A-Fa-f]{6}$' })

/** A line of text, with the length in code points. */
export const lineOfText = (max: number) => text(max, CONTROL)

/** Text that may have line breaks. */
export const linesOfText = (max: number) => text(max, CONTROL_IN_LINES)

const text = (max: number, control: RegExp) =>
  z
    .string({ error: ({ input }) => (input === undefined ? REQUIRED : NOT_A_STRING) })
    .refine((text) => hasAtMost(max, text), `The :attribute may not be greater than ${max} characters.`)
    // PostgreSQL fails on U+0000 and SQLite stores it. Both turn a lone surrogate into U+FFFD.
    .refine((text) => !control.test(text), 'The :attribute may not contain control characters.')
    .refine((text) => text.isWellFormed(), 'The :attribute must be well-formed Unicode.')
    .meta({ maxLength: max })

/** In code points, of which a text has at least half as many as UTF-16 units: long texts need no counting. */
function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max)
}

const isoTime = z.iso.datetime({ offset: true })

/** ISO 8601 with a zone; microseconds since 1970. */
export const time = z.string(NOT_A_STRING).transform((text, context): number => {
  const refuse = (message: string) => {
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  }
  if (text.length > TIME_LENGTH_MAX || !isoTime.safeParse(text).success) return refuse(NOT_A_TIME)
  const ms = Date.parse(text)
  if (!(ms >= TIMES_MS.from && ms < TIMES_MS.to)) return refuse(OUT_OF_TIME)
  return ms * 1000
})
