import { z } from 'zod'
import type { Selectable } from 'kysely'
import { isoOrNull } from '../../runtime/clock.ts'
import type { LinkTable } from '../../store/link-schema.ts'
import type { DestinationRules } from '../destinations/destination.ts'

// The three kinds of fields of a link. Requests, columns, responses, the document, what published keys may set, what counts as equal
// and what is kept in the history follow from them: see link-fields.ts.

export type LinkColumns = Selectable<LinkTable>
type Column = keyof LinkColumns
type Edit = z.ZodType | undefined

/** What requests may say. */
type RequestPart<Creation extends z.ZodType, Editing extends Edit, InBulk extends boolean> = {
  /** `edit`: undefined if it cannot be changed later. */
  input: (rules: DestinationRules) => { creation: Creation; edit: Editing }
  /** Whether it can be set for many links at once. */
  inBulk: InBulk
  /** Whether keys that everybody can read may set it. */
  publishedKeys: 'allowed' | 'refused'
}

/** What is kept about a link, and shown. */
type KeptPart<Answer extends z.ZodType, History extends 'version' | 'auditOnly'> = {
  answer: Answer
  /** A version of the link is what its visitors meet; the audit log has every field. */
  history: History
}

/**
 * For `reuse_existing`: whether it must be equal, only if it was sent, or a link that has it (its column is not NULL) is equal to none. 'apart': see
 * reuse-links.ts.
 */
type Equality = 'must' | 'ifSent' | 'never' | 'apart'

/** A column of `links`. PostgreSQL is told which columns of a group of links are texts. */
type StoredColumn<Sent, Stored> = { isText: boolean; store: (sent: Sent) => Stored }

/** `null` clears the field. */
type Sent<Creation extends z.ZodType> = Exclude<z.output<Creation>, undefined>

/** A field that is kept in a column of `links`. */
export type ColumnField<
  Name extends Column,
  Creation extends z.ZodType,
  Editing extends z.ZodType,
  InBulk extends boolean,
  Answer extends z.ZodType,
  ShownAs extends string | undefined,
  IsRouted extends boolean,
  History extends 'version' | 'auditOnly',
> = RequestPart<Creation, Editing, InBulk> &
  KeptPart<Answer, History> &
  StoredColumn<Sent<Creation>, LinkColumns[Name]> & {
    column: Name
    show: (stored: LinkColumns[Name]) => z.output<Answer>
    /** What follows from it in other columns. */
    alsoStored?: { [Other in Column]?: StoredColumn<Sent<Creation>, LinkColumns[Other]> }
    /** Its name in responses, if it has another one there. */
    shownAs: ShownAs
    /** Whether redirects depend on it. */
    isRouted: IsRouted
    equal: Equality
  }

export const columnField = <
  const Name extends Column,
  Creation extends z.ZodType,
  Editing extends z.ZodType,
  const InBulk extends boolean,
  Answer extends z.ZodType,
  const IsRouted extends boolean,
  const History extends 'version' | 'auditOnly',
  const ShownAs extends string | undefined = undefined,
>(
  field: Omit<ColumnField<Name, Creation, Editing, InBulk, Answer, ShownAs, IsRouted, History>, 'shownAs'> & {
    shownAs?: ShownAs
  },
) => field as ColumnField<Name, Creation, Editing, InBulk, Answer, ShownAs, IsRouted, History>

/** A field that is kept in tables of its own, and in `Link` by its name: the types demand it there, and in what versions compare. */
export const elsewhereField = <
  Creation extends z.ZodType,
  Editing extends z.ZodType,
  const InBulk extends boolean,
  Answer extends z.ZodType,
  const History extends 'version' | 'auditOnly',
>(
  field: RequestPart<Creation, Editing, InBulk> & KeptPart<Answer, History>,
) => ({ ...field, isElsewhere: true as const })

/** What only requests say: nothing is kept under its name. */
export const requestField = <Creation extends z.ZodType, Editing extends Edit>(
  field: Omit<RequestPart<Creation, Editing, false>, 'inBulk'>,
) => ({ ...field, inBulk: false as const })

/** In creations and edits alike, null clears it. */
export const clearable = <Schema extends z.ZodType>(schema: Schema, doc: z.GlobalMeta) => {
  const input = schema.nullish().meta(doc)
  return { creation: input, edit: input }
}

/** Empty without it. In an edit, the list replaces the one before. */
export function wholeList<List extends z.ZodType<string[]>>(
  list: List,
  docs: { creation: string; edit: string },
) {
  const orNone = (items: z.output<List> | null | undefined): string[] => items ?? []
  return {
    creation: list.nullish().transform(orNone).meta({ description: docs.creation }),
    edit: list.nullable().transform(orNone).optional().meta({ description: docs.edit }),
  }
}

/** Only a creation says it. */
export const onCreation = <Schema extends z.ZodType>(creation: Schema) => ({ creation, edit: undefined })

/** Stored as it is sent. */
export const asSent = <Value>(value: Value) => value

/** An empty text is none. */
export const textColumn = {
  isText: true,
  store: (text: string | null) => (text === '' ? null : text),
  show: asSent<string | null>,
}
export const urlColumn = { ...textColumn, store: asSent<string | null> }
export const textAnswer = (description: string) => z.string().nullable().meta({ description, example: null })

export const flagColumn = {
  isText: false,
  store: (on: boolean | null) => (on === true ? 1 : null),
  show: (stored: number | null) => stored === 1,
}

/** Stored as microseconds. */
export const timeColumn = {
  isText: false,
  store: asSent<number | null>,
  show: isoOrNull,
}
export const timeAnswer = (description: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${description} ISO 8601, UTC, microseconds.`,
      format: 'date-time',
      example: null,
    })
