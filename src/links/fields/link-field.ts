import type { Selectable } from 'kysely'
import { z } from 'zod'
import { isoOrNull } from '../../runtime/clock.ts'
import type { LinkTable } from '../../store/link-schema.ts'
import type { DestinationRules } from '../destinations/destination.ts'

// The three kinds of fields of a link. Requests, columns, responses, the document, what published keys may set, what counts as equal
// and what is kept in the history follow from them: see link-fields.ts.

export type LinkColumns = Selectable<LinkTable>
type Column = keyof LinkColumns

type RequestTraits = {
  /** Whether it can be set for many links at once. */
  inBulk: boolean
  /** Whether keys that everybody can read may set it. */
  publishedKeys: 'allowed' | 'refused'
}
type KeptTraits = RequestTraits & {
  /** A version of the link is what its visitors meet; the audit log has every field. */
  history: 'version' | 'auditOnly'
}
type ColumnTraits = KeptTraits & {
  /** Its name in responses, if it has another one there. */
  shownAs?: string
  /** Whether redirects depend on it. */
  isRouted: boolean
  /**
   * For `reuse_existing`: whether it must be equal, only if it was sent, or a link that has it (its column is not NULL) is equal to
   * none. 'apart': see reuse-links.ts.
   */
  equal: 'must' | 'ifSent' | 'never' | 'apart'
}

/** What requests may send. `edit`: undefined if it cannot be changed later. */
type Input<Creation, Edit> = (rules: DestinationRules) => { creation: Creation; edit: Edit }

/** PostgreSQL is told which columns of a group of links are texts. `sent`: null clears the field. */
type Storing<Creation, Stored> = {
  isText: boolean
  store: (sent: Exclude<z.output<Creation>, undefined>) => Stored
}

/** A field that is kept in a column of `links`. `alsoStored`: what follows from it in other columns. */
export const columnField = <
  const Name extends Column,
  Creation extends z.ZodType,
  Edit extends z.ZodType,
  Answer extends z.ZodType,
  const Traits extends ColumnTraits,
>(
  field: {
    input: Input<Creation, Edit>
    column: Name
    alsoStored?: { [Other in Column]?: Storing<Creation, LinkColumns[Other]> }
    show: (stored: LinkColumns[Name]) => z.output<Answer>
    answer: Answer
  } & Storing<Creation, LinkColumns[Name]> &
    Traits,
) => field

/** A field that is kept in tables of its own, and in `Link` by its name: the types demand it there, and in what versions compare. */
export const elsewhereField = <
  Creation extends z.ZodType,
  Edit extends z.ZodType,
  Answer extends z.ZodType,
  const Traits extends KeptTraits,
>(
  field: { input: Input<Creation, Edit>; answer: Answer } & Traits,
) => ({ ...field, isElsewhere: true as const })

/** What only requests say: nothing is kept under its name. */
export const requestField = <Creation extends z.ZodType, Edit extends z.ZodType | undefined>(
  field: { input: Input<Creation, Edit> } & Omit<RequestTraits, 'inBulk'>,
) => ({ ...field, inBulk: false as const })

/** In creations and edits alike, null clears it. */
export const clearable = <Schema extends z.ZodType>(
  schemaOf: (rules: DestinationRules) => Schema,
  doc: z.GlobalMeta,
) => ({
  input: (rules: DestinationRules) => {
    const schema = schemaOf(rules).nullish().meta(doc)
    return { creation: schema, edit: schema }
  },
})

/** Empty without it. In an edit, the list replaces the one before. */
export function wholeList<List extends z.ZodType<string[]>>(
  list: List,
  docs: { creation: string; edit: string },
  editList = list,
) {
  const orNone = (items: z.output<List> | null | undefined): string[] => items ?? []
  const creation = list.nullish().transform(orNone).meta({ description: docs.creation })
  const edit = editList.nullable().transform(orNone).optional().meta({ description: docs.edit })
  return { input: () => ({ creation, edit }) }
}

/** Only a creation says it. */
export const onCreation = <Schema extends z.ZodType>(creation: Schema) => ({
  input: () => ({ creation, edit: undefined }),
})

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
export const timeColumn = { isText: false, store: asSent<number | null>, show: isoOrNull }
export const timeAnswer = (description: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${description} ISO 8601, UTC, microseconds.`,
      format: 'date-time',
      example: null,
    })
