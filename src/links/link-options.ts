import type { z } from 'zod'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { time } from '../validation/field-rules.ts'
import type { WithPasswordHash } from './link-password.ts'
import { OPTION_FIELDS } from './option-fields.ts'

// What derives from the definitions in option-fields.ts. link-fields.ts puts it beside the fields that every link has.

type Fields = typeof OPTION_FIELDS
export type OptionName = keyof Fields
type Field = Fields[OptionName]
type Column = Field['column']

const FIELDS = Object.entries(OPTION_FIELDS) as [OptionName, Field][]

type Schemas = { [Key in OptionName]: z.ZodOptional<z.ZodNullable<ReturnType<Fields[Key]['input']>>> }

/** On creation and in edits alike; null clears an option. */
export const optionSchemas = (rules: DestinationRules) =>
  Object.fromEntries(
    FIELDS.map(([name, { input, inputDoc }]) => [name, input(rules).nullish().meta(inputDoc)]),
  ) as Schemas

type OptionInput = { [Key in OptionName]?: z.output<Schemas[Key]> }

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

type ShownName<Key extends OptionName> = Fields[Key]['shownAs'] extends string ? Fields[Key]['shownAs'] : Key
type Answers = { [Key in OptionName as ShownName<Key>]: Fields[Key]['answer'] }
type Views = { [Key in keyof Answers]: z.output<Answers[Key]> }

/** By their names in responses. */
const SHOWN_FIELDS = FIELDS.map(([name, field]) => ({
  ...field,
  name: (field.shownAs ?? name) as string,
  show: field.show as (stored: unknown) => unknown,
}))

/** The fields in responses. */
export const optionViews = (options: ShownOptions) =>
  Object.fromEntries(SHOWN_FIELDS.map(({ name, column, show }) => [name, show(options[column])])) as Views

/** Those that are not as in a plain link. */
export const setOptionViews = (options: ShownOptions): Partial<Views> =>
  Object.fromEntries(
    SHOWN_FIELDS.filter(({ column }) => options[column] !== null).map(({ name, column, show }) => [
      name,
      show(options[column]),
    ]),
  )

/** The fields in responses, for the documentation. */
export const optionAnswers = Object.fromEntries(
  SHOWN_FIELDS.map(({ name, answer }) => [name, answer]),
) as Answers

type NamesWhere<Trait> = {
  [Key in OptionName]: Fields[Key] extends Trait ? Fields[Key]['column'] : never
}[OptionName]

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
  SHOWN_FIELDS.flatMap(({ name, history }) => (history === 'auditOnly' ? [name] : [])),
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
