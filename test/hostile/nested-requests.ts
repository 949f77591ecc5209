import { jsonAt, leavesOf } from './nested-values.ts'
import type { Operation, Schema } from './operations.ts'

// Requests with a text deeper in their bodies than a field: in lists, rules and settings.

type NestedRequest = { method: string; path: string; body: string; place: string }

/** Good JSON of what a request needs beside the field. */
const REQUIRED: Record<string, string> = {
  original_url: '"https://example.com/"',
  short_codes: '["hello"]',
  set: '{"archived":false}',
  link: '{"original_url":"https://example.com/"}',
  scopes: '[]',
  role: '"viewer"',
}

/**
 * For every place of the document where a text may stand deeper than a field, one request with this JSON there. Fields of the
 * same name share what checks them, so the first endpoint that has the place is asked.
 */
export function nestedRequests(operations: readonly Operation[], json: string): NestedRequest[] {
  const places = new Map<string, NestedRequest>()
  for (const operation of operations.filter(({ bulkMax }) => bulkMax === undefined))
    for (const { name, schema } of operation.body)
      for (const leaf of leavesOf(schema).filter(
        ({ path, schema: own }) => path.length > 0 && mayBeText(own),
      )) {
        const at = [name, ...leaf.path].join('.')
        const value = jsonAt(schema, leaf.path, { json, count: 1 })
        if (!places.has(at)) places.set(at, requestWith(operation, { name, value, at }))
      }
  return [...places.values()]
}

/** A name in a rule that is none, which no schema has. */
export const requestWithUnknownName = (json: string): NestedRequest => ({
  method: 'POST',
  path: '/api/links',
  body: `{"original_url":"https://example.com/","rules":[{${json}:1,"to":"https://example.com/"}]}`,
  place: 'POST /api/links, an unknown name in rules',
})

/** Where the dashboard's schemas do not say the names in a link: one field, as the others are checked as in the API. */
export const requestsWithLinks = (json: string): NestedRequest[] => [
  inDashboard('/links/resolve', `{"link":{"original_url":"https://example.com/","title":${json}}}`),
  inDashboard('/links/check', `{"links":[{"original_url":${json}}]}`),
]

const inDashboard = (path: string, body: string): NestedRequest => ({
  method: 'POST',
  path: `/dashboard/api${path}`,
  body,
  place: `POST /dashboard/api${path}, a field of a link`,
})

/** A name that is free to choose has no type. */
const mayBeText = ({ type = 'string' }: Schema) => [type].flat().includes('string')

function requestWith(
  { method, path, body }: Operation,
  { name, value, at }: { name: string; value: string; at: string },
): NestedRequest {
  const others = body.flatMap((field) =>
    field.name !== name && (field.isRequired || field.name === 'original_url')
      ? [`"${field.name}":${REQUIRED[field.name] ?? '"A name"'}`]
      : [],
  )
  return {
    method,
    path,
    body: `{${[...others, `"${name}":${value}`].join()}}`,
    place: `${method} ${path} ${at}`,
  }
}
