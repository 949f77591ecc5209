import type { z } from 'zod'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { time } from './field-rules.ts'
import type { WithPasswordHash } from './link-password.ts'
import { OPTION_FIELDS } from './option-fields.ts'

// What derives from the definitions in option-fields.ts. link-fields.ts puts it beside the fields that every link has.

type Fields = typeof OPTION_FIELDS
export type OptionName = keyof Fields
type Name = OptionName
type Field = Fields[Name]
type Column = Field['column']

/** In the order of their definitions, with which names and values keep their types. */
const FIELDS = Object.entries(OPTION_FIELDS) as [Name, Field][]

/** The same for each field, by another name if `nameOf` gives one. */
const eachField = <Value>(valueOf: (field: Field) => Value, nameOf: (name: Name, field: Field) => string) =>
  Object.fromEntries(FIELDS.map(([name, field]) => [nameOf(name, field), valueOf(field)]))

type Schemas = { [Key in Name]: z.ZodOptional<z.ZodNullable<ReturnType<Fields[Key]['input']>>> }

/** On creation and in edits alike; null clears an option. */
export const optionSchemas = (rules: DestinationRules) =>
  eachField(
    ({ input, inputDoc }) => input(rules).nullish().meta(inputDoc),
    (name) => name,
  ) as Schemas

type OptionInput = { [Key in Name]?: z.output<Schemas[Key]> }

/** A column with the field that it belongs to. */
type FieldOf<Wanted extends Column> = Extract<Field, { column: Wanted }>
type StoredOptions = { [Key in Column]: ReturnType<FieldOf<Key>['store']> }

/** The values of the option columns; undefined where a field is undefined. */
export function optionColumns({ password, password_hash, ...fields }: WithPasswordHash<OptionInput>) {
  if (password != null) throw new Error('A password was to be hashed before it is stored.')
  const sent: Record<string, unknown> = { ...fields, password: password_hash }
  const columns = FIELDS.map(([name, { column, store }]) => {
    const value = sent[name]
    return [column, value === undefined ? undefined : (store as (value: unknown) => unknown)(value)]
  })
  return Object.fromEntries(columns) as { [Key in Column]: StoredOptions[Key] | undefined }
}

/** The columns of optionColumns, and which of them hold texts. */
export const OPTION_COLUMNS = {
  names: FIELDS.map(([, { column }]) => column),
  texts: FIELDS.flatMap(([, { column, isText }]) => (isText ? [column] : [])),
}

/** A link's options as stored. A plain link has NULL in each. */
export type ShownOptions = Pick<LinkOptionColumns, Column>

/** Those among columns; what is absent is NULL. */
export const shownOptions = (columns: { [Key in Column]?: ShownOptions[Key] | undefined }) =>
  Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, columns[name] ?? null])) as ShownOptions

type ShownName<Key extends Name> = Fields[Key]['shownAs'] extends string ? Fields[Key]['shownAs'] : Key
type Answers = { [Key in Name as ShownName<Key>]: Fields[Key]['answer'] }
type Views = { [Key in keyof Answers]: z.output<Answers[Key]> }

const shownName = (name: Name, { shownAs }: Field): string => shownAs ?? name

/** The fields in responses. */
export const optionViews = (options: ShownOptions) =>
  eachField(({ column, show }) => (show as (stored: unknown) => unknown)(options[column]), shownName) as Views

/** Those that are not as in a plain link. */
export const setOptionViews = (options: ShownOptions): Partial<Views> =>
  Object.fromEntries(
    FIELDS.flatMap(([name, field]) => {
      const stored = options[field.column]
      return stored === null
        ? []
        : [[shownName(name, field), (field.show as (stored: unknown) => unknown)(stored)]]
    }),
  )

/** The fields in responses, for the documentation. */
export const optionAnswers = eachField(({ answer }) => answer, shownName) as Answers

type NamesWhere<Trait> = { [Key in Name]: Fields[Key] extends Trait ? Fields[Key]['column'] : never }[Name]

/** The columns that redirects depend on. */
export type RoutedColumn = NamesWhere<{ isRouted: true }>

/** Compared for `reuse_existing`, always or only if they are sent. */
export const COMPARED_COLUMNS = {
  always: columnsWhere(({ equal }) => equal === 'must'),
  ifSent: columnsWhere(({ equal }) => equal === 'ifSent'),
}

function columnsWhere(isWanted: (field: Field) => boolean): Column[] {
  return FIELDS.flatMap(([, field]) => (isWanted(field) ? [field.column] : []))
}

/** Names in responses of what has no versions. */
export const UNVERSIONED = new Set(
  FIELDS.flatMap(([name, field]) => (field.history === 'auditOnly' ? [shownName(name, field)] : [])),
)

/** Names in requests of what keys that everybody can read may not set. */
export const REFUSED_OF_PUBLISHED_KEYS = FIELDS.flatMap(([name, { publishedKeys }]) =>
  publishedKeys === 'refused' ? [name] : [],
)

export type LinkTimes = { starts_at?: number | null | undefined; expires_at?: number | null | undefined }

/** The times in a request, as far as they are valid. */
export const sentTimes = ({ starts_at, expires_at }: Record<string, unknown>): LinkTimes => ({
  starts_at: time.safeParse(starts_at).data,
  expires_at: time.safeParse(expires_at).data,
})

/** Options that cannot stand together, by the field to blame: one that was sent. `options`: as they would be stored. */
export function optionConflicts(options: LinkTimes, sent = options): Record<string, string> {
  const { starts_at: startsAt, expires_at: expiresAt } = options
  if (startsAt == null || expiresAt == null || expiresAt > startsAt) return {}
  return sent.expires_at === undefined
    ? { starts_at: 'The start must be before the end.' }
    : { expires_at: 'The end must be after the start.' }
}
