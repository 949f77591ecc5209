import type { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { validated } from '../../errors/field-errors.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { Page } from '../../store/page-of-rows.ts'
import type { pageParameters } from '../../validation/query-parameters.ts'
import { type Query, readParameters } from '../requests/query.ts'
import type { ServerDeps } from './server-deps.ts'

/** What a body or a query is read for. `caller`: undefined where nobody has to be known. */
export type ReadingContext = { deps: ServerDeps; caller: Caller | undefined; key: LinkKey }

/** Schemas that depend on settings are made once, as the server starts: see schemasOf. */
export type SchemaDeps = Pick<ServerDeps, 'schemas'>

export type Awaitable<Value> = Value | Promise<Value>

/** A JSON body: what is documented, and how it is read. */
export type Body<Schema extends z.ZodObject = z.ZodObject, Input = unknown> = {
  schema: (deps: SchemaDeps) => Schema
  /** The body of the reference's command: it works as it stands. */
  example?: object
  /** Fields that may be sent too, without being named in the message as unknown. */
  ignored?: readonly string[]
  read(body: Record<string, unknown>, context: ReadingContext): Awaitable<Input>
}

/** A body that its schema reads. */
export const body = <Schema extends z.ZodObject>(schema: Schema, example?: object) =>
  configuredBody(() => schema, example)

/** The same, for a schema that depends on settings. */
export const configuredBody = <Schema extends z.ZodObject>(
  schema: (deps: SchemaDeps) => Schema,
  example?: object,
): Body<Schema, z.output<Schema>> => ({
  schema,
  ...(example === undefined ? {} : { example }),
  read: (sent, { deps }) => validated(schema(deps), sent),
})

/** The parameters of a query: what is documented, and how they are read. */
export type QueryParameters<Schema extends z.ZodObject = z.ZodObject, Values = unknown> = {
  schema: Schema
  read(query: Query, context: ReadingContext): Awaitable<Values>
}

/** Those that their schema reads. */
export const parameters = <Schema extends z.ZodObject>(
  schema: Schema,
): QueryParameters<Schema, z.output<Schema>> => ({ schema, read: (query) => readParameters(schema, query) })

/** Those of a list that has pages. The number of rows has its own name. */
export const pageOf = <Schema extends typeof pageParameters>(schema: Schema) => ({
  schema,
  read(query: Query): Page & Omit<z.output<Schema>, 'per_page'> {
    const { per_page: perPage, ...others } = readParameters(schema, query)
    return { ...others, perPage }
  },
})
