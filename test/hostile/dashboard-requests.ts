import { JSON_FRAGMENTS, TEXTS } from './hostile-texts.data.ts'
import type { DashboardOperation } from './dashboard-operations.ts'

/** One request to /dashboard/api; `body` is JSON, with an odd value in `field`. */
export type DashboardRequestCase = { method: string; path: string; body: string | undefined; field?: string }

/** Endpoints that sign the caller out, and streams. */
const LEFT_OUT = ['DELETE /session', 'DELETE /sessions', 'GET /live', 'GET /export']

/** What no table of texts has: objects that cannot become a text, and what is too deep or too long to be walked. */
const TRAPS = [
  '{"toString":1}',
  '{"toString":1,"valueOf":2,"length":-1}',
  '[{"toString":null}]',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  JSON.stringify('a'.repeat(900_000)),
  `[${'"a",'.repeat(100_000)}"a"]`,
]

/** What to put into a field, as JSON, and into a part of a path or a parameter, percent-encoded. */
export type HostileValues = { ofField(name: string): string[]; inPath(): string[]; inQuery(): string[] }

/** Each password costs a hash: of them a few, of everything else all that JSON can be. */
const ODD_VALUES: HostileValues = {
  ofField(name) {
    const texts = someTexts().map((text) => JSON.stringify(text))
    return name === 'password' ? [...TRAPS, 'null', '1'] : [...JSON_FRAGMENTS, ...texts, ...TRAPS]
  },
  inPath: () => [...encoded(someTexts()), '%', '%ff', '..%2f..', '%00'],
  inQuery: () => [...encoded(someTexts()), '%', '%ff', '-1', '1e9', '0'],
}

/** Of these, only what a new link does not have: hostile-requests.test.ts sends the fields of a link to the API. */
const OF_ONE_LINK = ['POST /links', 'PUT /links/{short_code}']

/**
 * Every endpoint with every odd value in every one of its fields, all others being good: `good` has JSON by the field's
 * name, and texts for the parts of paths. Parameters that the API has as well are sent to that.
 */
export function dashboardRequests(
  operations: readonly DashboardOperation[],
  good: Record<string, string>,
  odd: HostileValues = ODD_VALUES,
): DashboardRequestCase[] {
  const nameOf = ({ method, path }: DashboardOperation) => `${method} ${path}`
  const ofNewLink = operations.find((each) => nameOf(each) === 'POST /links')?.body.map(({ name }) => name)
  return operations
    .filter((operation) => !LEFT_OUT.includes(nameOf(operation)))
    .flatMap((operation) => {
      const isOfOneLink = OF_ONE_LINK.includes(nameOf(operation))
      const body = operation.body.filter(({ name }) => !isOfOneLink || !ofNewLink?.includes(name))
      return [
        ...withOddFields({ ...operation, body }, good, odd),
        ...withOddPaths(operation, odd),
        ...(operation.isShared ? [] : withOddQueries(operation, good, odd)),
      ]
    })
}

const fill = (path: string, good: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => good[name]!)

function withOddFields(
  { method, path, body }: DashboardOperation,
  good: Record<string, string>,
  odd: HostileValues,
): DashboardRequestCase[] {
  const fields = body.map(({ name }) => name)
  return fields.flatMap((field) =>
    odd.ofField(field).map((value) => {
      const others = fields.filter((name) => name !== field && /^["[{]/.test(good[name] ?? ''))
      const pairs = [...others.map((name) => [name, good[name]!]), [field, value]]
      const json = `{${pairs.map(([name, value]) => `"${name}":${value}`).join()}}`
      return { method, path: fill(path, good), body: json, field }
    }),
  )
}

function withOddPaths({ method, path }: DashboardOperation, odd: HostileValues): DashboardRequestCase[] {
  if (!path.includes('{')) return []
  return odd.inPath().map((text) => ({ method, path: path.replace(/\{\w+\}/, () => text), body: undefined }))
}

function withOddQueries(
  { method, path, query }: DashboardOperation,
  good: Record<string, string>,
  odd: HostileValues,
): DashboardRequestCase[] {
  return query.flatMap(({ name }) =>
    odd.inQuery().map((text) => ({ method, path: `${fill(path, good)}?${name}=${text}`, body: undefined })),
  )
}

/** Well under what is read of a head. */
const encoded = (texts: readonly string[]) =>
  texts.map((text) => encodeURIComponent(text.toWellFormed())).filter(({ length }) => length < 8_000)

const PARTS = 32
let part = 0

/** Another part each time: all of them in every field would hash passwords for minutes. */
function someTexts(): string[] {
  part = (part + 1) % PARTS
  return TEXTS.filter((_, i) => i % PARTS === part)
}
