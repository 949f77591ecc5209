import { aliasesField } from './aliases.ts'
import { z } from 'zod'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { REQUIRED, trueOrFalse } from '../validation/field-rules.ts'
import { BASIC_FIELDS } from './fields/basic-fields.ts'
import type { LinkColumns } from './fields/link-field.ts'
import { OWNER_FIELDS } from './fields/owner-fields.ts'
import { VISITOR_FIELDS } from './fields/visitor-fields.ts'
import type { WithPasswordHash } from './link-password.ts'

// What derives from the definitions of the fields of a link, in fields/. Loops run once, as the server starts.
// In messages, `:attribute` stands for the name of the field; see fieldErrorsOf.

export const BULK_LINKS_MAX = 100

/** Most links have none of them. */
const OPTIONAL_FIELDS = { ...VISITOR_FIELDS, ...OWNER_FIELDS }
const LINK_FIELDS = { ...BASIC_FIELDS, ...OPTIONAL_FIELDS }

type LinkFields = typeof LINK_FIELDS
type FieldName = keyof LinkFields
type Field = LinkFields[FieldName]
const FIELDS = Object.entries(LINK_FIELDS) as [FieldName, Field][]

type NamesWhere<Traits> = {
  [Name in FieldName]: LinkFields[Name] extends Traits ? Name : never
}[FieldName]
type OptionalName = keyof typeof OPTIONAL_FIELDS
type KeptName = NamesWhere<{ answer: z.ZodType }>
type ElsewhereName = NamesWhere<{ isElsewhere: true }>
/** What every link has. */
export type BasicName = Exclude<KeptName, OptionalName>

type Input<Name extends FieldName> = ReturnType<LinkFields[Name]['input']>
type NewLinkShape = { [Name in FieldName]: Input<Name>['creation'] }
type EditShape<Each extends FieldName> = {
  [Name in Each as Input<Name>['edit'] extends z.ZodType ? Name : never]: Extract<
    Input<Name>['edit'],
    z.ZodType
  >
}

/** The bodies of requests about links. `bulkEdit`: what can be set for many at once. */
export type LinkSchemas = {
  newLink: z.ZodObject<NewLinkShape>
  newLinks: z.ZodObject<{ links: z.ZodArray<z.ZodObject<NewLinkShape>>; dry_run: typeof dryRun }>
  linkEdit: z.ZodObject<EditShape<FieldName>>
  bulkEdit: z.ZodObject<EditShape<NamesWhere<{ inBulk: true }>>>
}

export function linkSchemas(rules: DestinationRules): LinkSchemas {
  const inputs = FIELDS.map(([name, { input, inBulk }]) => ({ name, inBulk, ...input(rules) }))
  const editable = inputs.filter(({ edit }) => edit !== undefined)
  const shapeOf = (edits: typeof editable) => Object.fromEntries(edits.map(({ name, edit }) => [name, edit]))
  const newLink = z.object(
    Object.fromEntries(inputs.map(({ name, creation }) => [name, creation])) as NewLinkShape,
    'The :attribute must be an object.',
  )
  return {
    newLink,
    newLinks: z.object({ links: z.array(newLink).min(1).max(BULK_LINKS_MAX), dry_run: dryRun }),
    linkEdit: z.object(shapeOf(editable) as EditShape<FieldName>),
    bulkEdit: z.object(
      shapeOf(editable.filter(({ inBulk }) => inBulk)) as EditShape<NamesWhere<{ inBulk: true }>>,
    ),
  }
}

/** A new link whose codes are read by another schema. What is reserved depends on the domain; see placeUnusual. */
export const linkWithCodes = ({ newLink }: Pick<LinkSchemas, 'newLink'>, code: z.ZodType<string>) =>
  newLink.extend({
    custom_code: code.nullish().transform((sent) => sent ?? undefined),
    aliases: aliasesField(code)
      .nullish()
      .transform((sent) => sent ?? []),
  })

export const dryRun = trueOrFalse.optional().meta({
  description: 'true: nothing is stored, and the response says what would be.',
})

/** The `links` of a bulk request, checked before each is validated as a `newLink`: their number is limited first. */
export const linkList = z
  .array(z.unknown(), {
    error: ({ input }) => (input == null ? REQUIRED : 'The :attribute must be an array.'),
  })
  .refine(
    ({ length }) => length >= 1 && length <= BULK_LINKS_MAX,
    `The :attribute must have between 1 and ${BULK_LINKS_MAX} items.`,
  )

/** A valid new link. Its custom code may still be taken. */
export type NewLink = z.output<LinkSchemas['newLink']>
export type NewLinkInput = z.input<LinkSchemas['newLink']>
/** Undefined fields stay unchanged. */
export type LinkEdit = z.output<LinkSchemas['linkEdit']>
export type LinkEditInput = z.input<LinkSchemas['linkEdit']>

/** Names in requests of what keys that everybody can read may not set. */
export const REFUSED_OF_PUBLISHED_KEYS = FIELDS.flatMap(([name, { publishedKeys }]) =>
  publishedKeys === 'refused' ? [name] : [],
)

/** What is kept in tables of their own. */
export type ElsewhereValues = { [Name in ElsewhereName]: z.output<LinkFields[Name]['answer']> }

type ShownName<Name extends FieldName> = Name extends FieldName
  ? LinkFields[Name] extends { shownAs: infer Other extends string }
    ? Other
    : Name
  : never
type Answers<Names extends KeptName> = { [Name in Names as ShownName<Name>]: LinkFields[Name]['answer'] }
type Views<Names extends KeptName> = {
  [Name in Names as ShownName<Name>]: z.output<LinkFields[Name]['answer']>
}
/** Names in responses of what versions have, and of what only the audit log has. */
export type VersionedName = ShownName<NamesWhere<{ history: 'version' }>>
export type AuditOnlyName = ShownName<NamesWhere<{ history: 'auditOnly' }>>

const shownName = (name: string, field: Field): string => ('shownAs' in field ? field.shownAs : name)

/** The fields in responses, for the documentation. */
export const fieldAnswers = Object.fromEntries(
  FIELDS.flatMap(([name, field]) => ('answer' in field ? [[shownName(name, field), field.answer]] : [])),
) as Answers<KeptName>

/** Names in responses of what has no versions. */
export const UNVERSIONED = new Set(
  FIELDS.flatMap(([name, field]) =>
    'history' in field && field.history === 'auditOnly' ? [shownName(name, field)] : [],
  ),
)

const COLUMN_FIELDS = FIELDS.flatMap(([name, field]) =>
  'column' in field
    ? [{ name, shownAs: shownName(name, field), isOptional: name in OPTIONAL_FIELDS, field }]
    : [],
)

const COLUMNS = COLUMN_FIELDS.flatMap(({ name, isOptional, field }) =>
  Object.entries({ [field.column]: field, ...('alsoStored' in field && field.alsoStored) }).map(
    ([column, { isText, store }]) => ({
      name,
      isOptional,
      column: column as keyof LinkColumns,
      isText,
      store: store as (sent: unknown) => unknown,
    }),
  ),
)

/** The values of the columns in `links`, except those of fields that are undefined. */
export function linkColumns({ password, password_hash, ...fields }: WithPasswordHash<LinkEdit>) {
  if (password != null) throw new Error('A password was to be hashed before it is stored.')
  const values: Record<string, unknown> = { ...fields, password: password_hash }
  const columns: Record<string, unknown> = {}
  for (const { name, column, store } of COLUMNS)
    if (values[name] !== undefined) columns[column] = store(values[name])
  return columns as { [Column in keyof LinkColumns]?: LinkColumns[Column] | undefined }
}

type OptionalColumn = (typeof OPTIONAL_FIELDS)[OptionalName]['column']

function columnNames<Column extends keyof LinkColumns>(isOptional: boolean) {
  const columns = COLUMNS.filter((each) => each.isOptional === isOptional)
  const namesOf = (some: typeof columns) => some.map(({ column }) => column as Column)
  return { names: namesOf(columns), texts: namesOf(columns.filter(({ isText }) => isText)) }
}

/** The columns of linkColumns that every link has, and which of them hold texts. */
export const FIELD_COLUMNS = columnNames<Exclude<keyof LinkColumns, OptionalColumn>>(false)
/** Those that are NULL in a plain link. */
export const OPTION_COLUMNS = columnNames<OptionalColumn>(true)

/** A link's options as stored. A plain link has NULL in each. */
export type ShownOptions = LinkOptionColumns

/** Of a plain link: most links share it, and what is shown of it. */
const PLAIN_OPTIONS = Object.freeze(
  Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, null])),
) as Pick<ShownOptions, OptionalColumn>

/** Those among columns; what is absent is NULL. The types demand a field for each column. */
export const shownOptions = (columns: {
  [Column in keyof ShownOptions]?: ShownOptions[Column] | undefined
}): ShownOptions => {
  if (OPTION_COLUMNS.names.every((name) => columns[name] == null)) return PLAIN_OPTIONS
  const options: Record<string, unknown> = {}
  for (const name of OPTION_COLUMNS.names) options[name] = columns[name] ?? null
  return options as ShownOptions
}

export const hasOptions = (options: ShownOptions): boolean => options !== PLAIN_OPTIONS

/** What is shown of a row of `links`. */
export type ShownRow = Pick<LinkColumns, Extract<Field, { column: string }>['column']>

function viewsOf(fields: typeof COLUMN_FIELDS, row: Partial<ShownRow>): Record<string, unknown> {
  const views: Record<string, unknown> = {}
  for (const { shownAs, field } of fields)
    views[shownAs] = (field.show as (stored: unknown) => unknown)(row[field.column])
  return views
}

/** The fields of a row of `links` in responses. */
export const fieldViews = (row: ShownRow) =>
  viewsOf(COLUMN_FIELDS, row) as Views<Exclude<KeptName, ElsewhereName>>

const OPTIONS = COLUMN_FIELDS.filter(({ isOptional }) => isOptional)

const PLAIN_VIEWS = Object.freeze(viewsOf(OPTIONS, PLAIN_OPTIONS))

/** Those that most links do not have. */
export const optionViews = (options: ShownOptions) =>
  (hasOptions(options) ? viewsOf(OPTIONS, options) : PLAIN_VIEWS) as Views<OptionalName>

/** The columns that redirects depend on. */
export type RoutedColumn = Extract<Field, { isRouted: true }>['column']

const comparedColumns = (equality: 'must' | 'ifSent' | 'never') =>
  COLUMN_FIELDS.flatMap(({ field }) => (field.equal === equality ? [field.column] : []))

/** For `reuse_existing`: compared always, or only if they are sent; and those that an equal link has NULL in. */
export const COMPARED_COLUMNS = {
  always: comparedColumns('must'),
  ifSent: comparedColumns('ifSent'),
  never: comparedColumns('never'),
}
