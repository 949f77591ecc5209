import { z } from 'zod'

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

const MESSAGE_CHARS_MAX = 1_000

export const newReport = z.object({
  reason: z.enum(REASONS, 'Choose what is wrong with the link.'),
  // A form sends line breaks as CR LF, which count as one.
  message: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .refine((text) => [...text].length <= MESSAGE_CHARS_MAX, {
      error: `The :attribute may not be longer than ${MESSAGE_CHARS_MAX} characters.`,
      abort: true,
    })
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'The :attribute must be text.'),
})

export type Report = z.output<typeof newReport>
