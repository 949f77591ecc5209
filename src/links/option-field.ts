import { z } from 'zod'
import { isoOrNull } from '../runtime/clock.ts'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import type { DestinationRules } from './destinations/destination.ts'

type Column = keyof LinkOptionColumns

/**
 * A field that most links do not have. Requests, columns, responses, the document, what published keys may set, what counts as
 * equal and what is kept in the history follow from it.
 */
export type OptionField<
  Name extends Column,
  Input extends z.ZodType,
  Answer extends z.ZodType,
  ShownAs extends string | undefined,
  IsRouted extends boolean,
> = {
  /** What requests may send, in creations and edits alike. There, null clears it. */
  input: (rules: DestinationRules) => Input
  inputDoc: z.GlobalMeta
  /** Of `links`. A plain link has NULL in it. */
  column: Name
  /** PostgreSQL is told which columns of a group of links are texts. */
  isText: boolean
  /** `sent`: null where it is cleared. */
  store: (sent: z.output<Input> | null) => LinkOptionColumns[Name]
  show: (stored: LinkOptionColumns[Name]) => z.output<Answer>
  answer: Answer
  /** Its name in responses, if it has another one there. */
  shownAs: ShownAs
  /** Whether redirects depend on it. */
  isRouted: IsRouted
  /** Whether keys that everybody can read may set it. */
  publishedKeys: 'allowed' | 'refused'
  /** For `reuse_existing`: whether it must be equal, only if it was sent, or a link that has it is equal to none. */
  equal: 'must' | 'ifSent' | 'never'
  /** A version of the link is what its visitors meet; the audit log has every field. */
  history: 'version' | 'auditOnly'
}

/** Gives a field its precise type. */
export const option = <
  const Name extends Column,
  Input extends z.ZodType,
  Answer extends z.ZodType,
  const IsRouted extends boolean,
  const ShownAs extends string | undefined = undefined,
>(
  field: Omit<OptionField<Name, Input, Answer, ShownAs, IsRouted>, 'shownAs'> & { shownAs?: ShownAs },
) => field as OptionField<Name, Input, Answer, ShownAs, IsRouted>

/** Stored as it is sent. */
export const asSent = <Value>(value: Value) => value

/** An empty text is none. */
export const textOption = {
  isText: true,
  store: (text: string | null) => (text === '' ? null : text),
  show: asSent<string | null>,
}
export const urlOption = { ...textOption, store: asSent<string | null> }
export const textAnswer = (description: string) => z.string().nullable().meta({ description, example: null })

export const flagOption = {
  isText: false,
  store: (on: boolean | null) => (on === true ? 1 : null),
  show: (stored: number | null) => stored === 1,
}

/** Stored as microseconds. */
export const timeOption = {
  isText: false,
  store: asSent<number | null>,
  show: isoOrNull,
  answer: (description: string) =>
    z
      .string()
      .nullable()
      .meta({
        description: `${description} ISO 8601, UTC, microseconds.`,
        format: 'date-time',
        example: null,
      }),
}
