import { type FieldErrors, invalid } from '../../errors/refusal.ts'

/** What a visitor can say is wrong with a link, as the form lists it. */
export const REASONS = ['phishing', 'spam', 'illegal', 'other'] as const
export type Reason = (typeof REASONS)[number]

const GRAVITY: Record<Reason, number> = { phishing: 3, illegal: 2, spam: 1, other: 0 }

/** The gravest first. */
export const BY_GRAVITY = REASONS.toSorted((a, b) => GRAVITY[b] - GRAVITY[a])

export const isGraver = (one: Reason, other: Reason): boolean => GRAVITY[one] > GRAVITY[other]

/** For people: on the form, in emails and on the command line. */
export const REASON_NAMES: Record<Reason, string> = {
  phishing: 'Phishing or malware',
  spam: 'Spam',
  illegal: 'Illegal content',
  other: 'Something else',
}

export type Report = { reason: Reason; message: string }

const MESSAGE_CHARS_MAX = 1_000

export function readReport({ reason, message }: { reason: string; message: string }): Report {
  const fields: FieldErrors = {}
  const chosen = REASONS.find((each) => each === reason)
  if (chosen === undefined) fields.reason = ['Choose what is wrong with the link.']
  // A form sends line breaks as CR LF, which count as one.
  const text = message.replaceAll('\r\n', '\n').trim()
  if ([...text].length > MESSAGE_CHARS_MAX)
    fields.message = [`The message may not be longer than ${MESSAGE_CHARS_MAX} characters.`]
  else if (text.includes('\0') || !text.isWellFormed()) fields.message = ['The message must be text.']
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return { reason: chosen!, message: text }
}
