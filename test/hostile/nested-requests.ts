import type { OwnApi } from '../../src/http/endpoints/all-endpoints.ts'
import { jsonAt, leavesOf } from './nested-values.ts'
import type { Operation, Schema } from './operations.ts'

// Requests with a text deeper in their bodies than a field: in lists, rules and settings.

type NestedRequest = { method: string; path: string; body: string; place: string }

/** Good JSON of what a request needs beside the field. */
const REQUIRED: Record<string, string> = {
  original_url: '"https://example.com/"',
  short_codes: '["hello"]',
  set: '{"archived":false}',
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
  const rules = `[{${json}:1,"to":"https://example.com/"}]`
  const unknownName = {
    method: 'POST',
    path: '/api/links',
    body: `{"original_url":"https://example.com/","rules":${rules}}`,
    place: 'POST /api/links, an unknown name in rules',
  }
  return [...places.values(), unknownName]
}

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

/** Endpoints whose bodies are not in the document. */
type OwnRoute = keyof OwnApi
type PlacesIn<Value, At extends string> = Value extends string
  ? At
  : Value extends number | boolean | null | undefined
    ? never
    : Value extends readonly (infer Item)[]
      ? [PlacesIn<Item, `${At}.0`>] extends [never]
        ? `${At}.0`
        : PlacesIn<Item, `${At}.0`>
      : { [Name in keyof Value & string]: PlacesIn<Value[Name], `${At}.${Name}`> }[keyof Value & string]
type FieldPlaces<Input> = Input extends unknown
  ? { [Name in keyof Input & string]: PlacesIn<Input[Name], Name> }[keyof Input & string]
  : never
type NestedPlaces<Route extends OwnRoute> = OwnApi[Route] extends { input: infer Input }
  ? `${Route}: ${Exclude<Extract<FieldPlaces<Input>, `${string}.${string}`>, `link.${string}`>}`
  : never
type DashboardPlace = { [Route in OwnRoute]: NestedPlaces<Route> }[OwnRoute]

const LINK = '"link":{"original_url":"https://example.com/"}'
const visit = (name: string) => (text: string) => `{${LINK},"visit":{"${name}":${text}}}`
const restriction = (name: string) => (text: string) =>
  `{"name":"A key","scopes":[],"restrictions":{"${name}":${text}}}`
const restrictions = (name: string) => (text: string) => restriction(name)(`[${text}]`)

/** The body with this text at the place. The types demand one for each list and object that an endpoint of the dashboard takes. */
const IN_DASHBOARD: Record<DashboardPlace, (text: string) => string> = {
  'POST /members/invitations: emails.0': (text) => `{"emails":[${text}],"role":"viewer"}`,
  'POST /links/check: links.0': (text) => `{"links":[{"original_url":${text}}]}`,
  'POST /keys: scopes.0': (text) => `{"name":"A key","scopes":[${text}]}`,
  'POST /keys: restrictions.domain': restriction('domain'),
  'POST /keys: restrictions.code_prefix': restriction('code_prefix'),
  'POST /keys: restrictions.destination_hosts.0': restrictions('destination_hosts'),
  'POST /keys: restrictions.origins.0': restrictions('origins'),
  'POST /links/resolve: visit.country': visit('country'),
  'POST /links/resolve: visit.language': visit('language'),
  'POST /links/resolve: visit.query': visit('query'),
  'POST /links/resolve: visit.device': visit('device'),
  'POST /links/resolve: visit.os': visit('os'),
  'POST /links/resolve: visit.browser': visit('browser'),
  'POST /links/resolve: visit.user_agent': visit('user_agent'),
  'POST /links/resolve: visit.at': visit('at'),
}
/** One of its fields: the others are checked as those of a link in the API. */
const EDITED_LINK = 'POST /links/resolve: link.title'

export function nestedDashboardRequests(json: string): NestedRequest[] {
  const edited = `{"link":{"original_url":"https://example.com/","title":${json}}}`
  const bodies = Object.entries(IN_DASHBOARD).map(([place, bodyWith]) => [place, bodyWith(json)] as const)
  return [...bodies, [EDITED_LINK, edited] as const].map(([place, body]) => {
    const [method = '', path = '', at = ''] = place.replace(': ', ' ').split(' ')
    return {
      method,
      path: `/dashboard/api${path}`,
      body,
      place: `${method} /dashboard/api${path} ${at}`,
    }
  })
}
