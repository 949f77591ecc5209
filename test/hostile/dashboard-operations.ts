import { z } from '@hono/zod-openapi'
import { defaultDeps } from '../../src/cli/commands/default-openapi.ts'
import type { Endpoint } from '../../src/http/dispatch/endpoint.ts'
import { ENDPOINTS } from '../../src/http/endpoints/all-endpoints.ts'
import { fieldsOf, type Operation, type Schema } from './operations.ts'

/** An endpoint below /dashboard/api. `isShared`: the API has it, too. */
export type DashboardOperation = Operation & { isShared: boolean }

/** As a document would describe them, although there is none. */
export function dashboardOperations(): DashboardOperation[] {
  const deps = defaultDeps()
  return (ENDPOINTS as readonly Endpoint[])
    .filter(({ who }) => ['session', 'anybody', 'both'].includes(who))
    .map(({ method, path, who, input, query }) => ({
      method,
      path,
      isShared: who === 'both',
      headers: [],
      query: Object.keys(query?.schema.shape ?? {}).map((name) => ({ name, schema: {} })),
      body: input === undefined ? [] : fieldsOf(jsonSchemaOf(input.schema(deps)) as Schema),
      bulkMax: undefined,
    }))
}

const jsonSchemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // What may be null is described as if it may not.
    override({ jsonSchema }) {
      const [one, ...others] = (jsonSchema.anyOf ?? []).filter(({ type }) => type !== 'null')
      if (one === undefined || others.length > 0) return
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, one)
    },
  })
