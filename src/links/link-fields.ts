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
export type FieldName = keyof LinkFields
type Field = LinkFields[FieldName]
const FIELDS = Object.entries(LINK_FIELDS) as [FieldName, Field][]

type Input<Name extends FieldName> = ReturnType<LinkFields[Name]['input']>
type NewLinkShape = { [Name in FieldName]: Input<Name>['creation'] }
type EditableName = { [Name in FieldName]: Input<Name>['edit'] extends z.ZodType ? Name : never }[FieldName]
type BulkName = {
  [Name in EditableName]: LinkFields[Name]['inBulk'] extends true ? Name : never
}[EditableName]
type EditShape<Name extends EditableName> = { [Each in Name]: Extract<Input<Each>['edit'], z.ZodType> }

/** The bodies of requests about links. `bulkEdit`: what can be set for many at once. */
export type LinkSchemas = {
  newLink: z.ZodObject<NewLinkShape>
  newLinks: z.ZodObject<{ links: z.ZodArray<z.ZodObject<NewLinkShape>>; dry_run: typeof dryRun }>
  linkEdit: z.ZodObject<EditShape<EditableName>>
  bulkEdit: z.ZodObject<EditShape<BulkName>>
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
    linkEdit: z.object(shapeOf(editable) as EditShape<EditableName>),
    bulkEdit: z.object(shapeOf(editable.filter(({ inBulk }) => inBulk)) as EditShape<BulkName>),
  }
}

export const dryRun = trueOrFalse.optional().meta({
  description: 'true: nothing is stored, and the response says what would be.',
})

/** The `links` of a bulk request, checked before each is validated as a `newLink`: their number is limited first. */
export const linkList = z
  .array(z.unknown(), {
    error: ({ input }) => (input === undefined ? REQUIRED : 'The :attribute must be an array.'),
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

type OptionalColumn = (typeof OPTIONAL_FIELDS)[keyof typeof OPTIONAL_FIELDS]['column']
type KeptName = {
  [Name in FieldName]: LinkFields[Name] extends { answer: z.ZodType } ? Name : never
}[FieldName]
/** What every link has. */
export type BasicName = Extract<KeptName, keyof typeof BASIC_FIELDS>
type ElsewhereName = {
  [Name in FieldName]: LinkFields[Name] extends { isElsewhere: true } ? Name : never
}[FieldName]
/** What is kept in tables of their own. */
export type ElsewhereValues = { [Name in ElsewhereName]: z.output<LinkFields[Name]['answer']> }

const columnsOf = (fields: object) =>
  Object.entries(fields as Record<FieldName, Field>).flatMap(([name, field]) => {
    if (!('column' in field)) return []
    const also = Object.entries(field.alsoStored ?? {})
    return [[field.column, field] as const, ...also].map(([column, { isText, store }]) => ({
      name,
      column: column as keyof LinkColumns,
      isText,
      store: store as (sent: unknown) => unknown,
    }))
  })

const COLUMNS = columnsOf(LINK_FIELDS)

/** The values of the columns in `links`; undefined where a field is undefined. */
export function linkColumns({ password, password_hash, ...fields }: WithPasswordHash<LinkEdit>) {
  if (password != null) throw new Error('A password was to be hashed before it is stored.')
  const sent: Record<string, unknown> = { ...fields, password: password_hash }
  const columns = COLUMNS.map(({ name, column, store }) => [
    column,
    sent[name] === undefined ? undefined : store(sent[name]),
  ])
  return Object.fromEntries(columns) as { [Column in keyof LinkColumns]?: LinkColumns[Column] | undefined }
}

function namesOf<Column extends keyof LinkColumns>(columns: typeof COLUMNS) {
  return {
    names: columns.map(({ column }) => column as Column),
    texts: columns.flatMap(({ column, isText }) => (isText ? [column as Column] : [])),
  }
}

/** The columns of linkColumns that every link has, and which of them hold texts. */
export const FIELD_COLUMNS = namesOf<Exclude<keyof LinkColumns, OptionalColumn>>(columnsOf(BASIC_FIELDS))
/** Those that are NULL in a plain link. */
export const OPTION_COLUMNS = namesOf<OptionalColumn>(columnsOf(OPTIONAL_FIELDS))

/** A link's options as stored. A plain link has NULL in each. */
export type ShownOptions = LinkOptionColumns

/** Those among columns; what is absent is NULL. The types demand a field for each column. */
export const shownOptions = (columns: {
  [Column in keyof ShownOptions]?: ShownOptions[Column] | undefined
}): ShownOptions =>
  Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, columns[name] ?? null])) as Pick<
    ShownOptions,
    OptionalColumn
  >

type ShownName<Name extends KeptName> = LinkFields[Name] extends { shownAs: infer Other extends string }
  ? Other
  : Name
type NamesIn<History> = {
  [Name in KeptName]: LinkFields[Name] extends { history: History } ? ShownName<Name> : never
}[KeptName]
/** Names in responses of what versions have, and of what only the audit log has. */
export type VersionedName = NamesIn<'version'>
export type AuditOnlyName = NamesIn<'auditOnly'>
type Answers<Name extends KeptName> = {
  [Each in Name as ShownName<Each>]: LinkFields[Each]['answer']
}
type Views<Name extends KeptName> = {
  [Each in Name as ShownName<Each>]: z.output<LinkFields[Each]['answer']>
}

const shownName = (name: string, field: Field): string => ('shownAs' in field && field.shownAs) || name

/** The fields in responses, for the documentation. */
export const fieldAnswers = Object.fromEntries(
  FIELDS.flatMap(([name, field]) => ('answer' in field ? [[shownName(name, field), field.answer]] : [])),
) as Answers<KeptName>

const shownFields = (fields: object) =>
  Object.entries(fields as Record<FieldName, Field>).flatMap(([name, field]) =>
    'column' in field
      ? [{ ...field, name: shownName(name, field), show: field.show as (stored: unknown) => unknown }]
      : [],
  )
const SHOWN_FIELDS = shownFields(LINK_FIELDS)
const SHOWN_OPTIONS = shownFields(OPTIONAL_FIELDS)

/** The fields of a row of `links` in responses. */
export const fieldViews = (row: ShownRow) =>
  Object.fromEntries(SHOWN_FIELDS.map(({ name, column, show }) => [name, show(row[column])])) as Views<
    Exclude<KeptName, ElsewhereName>
  >
/** What is shown of a row of `links`. */
export type ShownRow = Pick<LinkColumns, (typeof SHOWN_FIELDS)[number]['column']>

/** Those that most links do not have. */
export const optionViews = (options: ShownOptions) =>
  Object.fromEntries(
    SHOWN_OPTIONS.map(({ name, column, show }) => [name, show(options[column as OptionalColumn])]),
  ) as Views<keyof typeof OPTIONAL_FIELDS>

/** Those that are not as in a plain link. */
export const setOptionViews = (options: ShownOptions) =>
  Object.fromEntries(
    SHOWN_OPTIONS.flatMap(({ name, column, show }) => {
      const stored = options[column as OptionalColumn]
      return stored === null ? [] : [[name, show(stored)]]
    }),
  ) as Partial<Views<keyof typeof OPTIONAL_FIELDS>>

/** The columns that redirects depend on. */
export type RoutedColumn = Extract<Field, { isRouted: true }>['column']

const comparedColumns = (equal: 'must' | 'ifSent' | 'never') =>
  SHOWN_FIELDS.flatMap((field) => (field.equal === equal ? [field.column] : []))

/** For `reuse_existing`: compared always, or only if they are sent; and those that an equal link has NULL in. */
export const COMPARED_COLUMNS = {
  always: comparedColumns('must'),
  ifSent: comparedColumns('ifSent'),
  never: comparedColumns('never'),
}

/** Names in responses of what has no versions. */
export const UNVERSIONED = new Set(
  FIELDS.flatMap(([name, field]) =>
    'history' in field && field.history === 'auditOnly' ? [shownName(name, field)] : [],
  ),
)
