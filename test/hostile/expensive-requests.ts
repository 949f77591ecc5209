import type { DashboardOperation } from './dashboard-operations.ts'
import { dashboardRequests } from './dashboard-requests.ts'
import { nestedRequests, requestsWithLinks, requestWithUnknownName } from './nested-requests.ts'
import type { ExpensiveText } from './hostile-texts.data.ts'
import type { Operation } from './operations.ts'

export type ExpensiveRequest = {
  /** A program with a key, or a user of the dashboard. */
  caller: 'program' | 'user'
  method: string
  path: string
  headers: Record<string, string>
  /** JSON. */
  body: string | undefined
  /** Where the text stands, for the report. */
  place: string
}

/** The service as its document and its endpoints describe it. */
export type Described = {
  operations: readonly Operation[]
  ofDashboard: readonly DashboardOperation[]
  /** Good values: JSON by a field's name, and texts for the parts of paths. */
  good: Record<string, string>
}

/** With the rest of the body, 1 MiB: the most that is read of one. */
const BODY_TEXT_BYTES = 1_048_000
/** Somewhat less than what is read of a head. */
const HEAD_TEXT_BYTES = 12_000
/** This many texts of this size fill a body; a URL of this many bytes is not too long when a character takes two. */
const BULK_LINKS = 64
const BULK_TEXT_BYTES = 16_200
const HEADERS = ['X-API-Key', 'Authorization', 'Cookie', 'User-Agent', 'Idempotency-Key', 'Accept']

/** One request for each place that takes a text, with this text there and good values elsewhere, always in the same order. */
export function expensiveRequests(text: ExpensiveText, described: Described): ExpensiveRequest[] {
  return [
    ...described.operations.flatMap((operation) => [
      ...inFields(text, operation, described.good),
      ...inHead(text, operation, described.good),
    ]),
    ...HEADERS.map((name) => ({
      ...request('program', 'GET', '/api/links'),
      headers: { [name]: Buffer.from(repeated(text, HEAD_TEXT_BYTES)).toString('latin1') },
      place: `the header ${name}`,
    })),
    ...inDashboard(text, described),
    ...inNestedFields(text, described),
    ...inPages(text),
  ]
}

function inFields(text: ExpensiveText, { method, path, body, bulkMax }: Operation, good: Described['good']) {
  const isBulk = bulkMax !== undefined
  const json = jsonOf(text, isBulk ? BULK_TEXT_BYTES : BODY_TEXT_BYTES)
  return body.map(({ name }) => {
    const object = `{${name === 'original_url' ? '' : '"original_url":"https://example.com/",'}"${name}":${json}}`
    return {
      ...request('program', method, filled(path, good)),
      body: isBulk ? `{"links":${bulkOf(object)}}` : object,
      place: `${method} ${path} ${name}`,
    }
  })
}

/** In the parts of the path, and in each parameter. */
function inHead(text: ExpensiveText, { method, path, query }: Operation, good: Described['good']) {
  const encoded = encodeURIComponent(repeated(text, HEAD_TEXT_BYTES, encodeURIComponent))
  const paths = path.includes('{') ? [path.replace(/\{\w+\}/, () => encoded)] : []
  const parameters = query.map(({ name }) => `${filled(path, good)}?${name}=${encoded}`)
  return [...paths, ...parameters].map((each) => ({
    ...request('program', method, each),
    place: `${method} ${each.replace(encoded, '…')}`,
  }))
}

function inDashboard(text: ExpensiveText, { ofDashboard, good }: Described): ExpensiveRequest[] {
  const links = ['original_url', 'title', 'custom_code'].map((name) =>
    bulkOf(`{"${name}":${jsonOf(text, BULK_TEXT_BYTES)}}`),
  )
  const encoded = [encodeURIComponent(repeated(text, HEAD_TEXT_BYTES, encodeURIComponent))]
  const json = [jsonOf(text, BODY_TEXT_BYTES)]
  // What the dashboard shares with the API is sent to that.
  const requests = dashboardRequests(ownOf(ofDashboard), good, {
    ofField: (name) => (name === 'links' ? [...links, ...json] : json),
    inPath: () => encoded,
    inQuery: () => encoded,
  })
  return requests.map(({ method, path, body }, index) => ({
    ...request('user', method, `/dashboard/api${path}`),
    body,
    place: `${method} /dashboard/api${path.replace(encoded[0]!, '…')}, ${index}`,
  }))
}

/** Deeper in a body, of the API and of the dashboard. */
function inNestedFields(text: ExpensiveText, { operations, ofDashboard }: Described): ExpensiveRequest[] {
  const json = jsonOf(text, BODY_TEXT_BYTES)
  const inApi = [...nestedRequests(operations, json), requestWithUnknownName(json)]
  const own = ownOf(ofDashboard).map((each) => ({ ...each, path: `/dashboard/api${each.path}` }))
  const inDashboard = [...nestedRequests(own, json), ...requestsWithLinks(json)]
  return [
    ...inApi.map((each) => ({ ...request('program', each.method, each.path), ...each })),
    ...inDashboard.map((each) => ({ ...request('user', each.method, each.path), ...each })),
  ]
}

const ownOf = (operations: readonly DashboardOperation[]) => operations.filter(({ isShared }) => !isShared)

/** As much as is read of each form. */
const FORMS: [path: string, field: string, bytes: number][] = [
  ['/report/hello', 'reason', 16_000],
  ['/report/hello', 'message', 16_000],
  ['/locked', 'password', 4_000],
]
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** Where headers of browsers are read: by a redirect, and by the forms, which compare where they come from. */
const OPENED = [
  ['GET', '/hello'],
  ['POST', '/report/hello'],
  ['POST', '/locked'],
] as const

/** What is outside of the API and the dashboard. */
function inPages(text: ExpensiveText): ExpensiveRequest[] {
  const inForms = FORMS.map(([path, field, bytes]) => ({
    ...request('program', 'POST', path),
    headers: FORM,
    body: `${field}=${encodeURIComponent(repeated(text, bytes, encodeURIComponent))}`,
    place: `POST ${path} ${field}`,
  }))
  const value = encodeURI(repeated(text, HEAD_TEXT_BYTES, encodeURI))
  const inHeaders = OPENED.flatMap(([method, path]) =>
    ['Origin', 'Referer', 'Host'].map((name) => ({
      ...request('program', method, path),
      headers: { ...(method === 'POST' ? FORM : {}), [name]: value },
      body: method === 'POST' ? 'reason=spam&password=wrong' : undefined,
      place: `${method} ${path}, the header ${name}`,
    })),
  )
  return [...inForms, ...inHeaders]
}

const request = (caller: ExpensiveRequest['caller'], method: string, path: string) => ({
  caller,
  method,
  path,
  headers: {},
  body: undefined,
})

const filled = (path: string, good: Described['good']) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => good[name]!)

const bulkOf = (object: string) => `[${Array(BULK_LINKS).fill(object).join()}]`

const jsonOf = (text: ExpensiveText, bytes: number) => JSON.stringify(repeated(text, bytes, JSON.stringify))

/** Of this size when it is written in this way. */
function repeated(
  { start, units, end }: ExpensiveText,
  bytes: number,
  write: (text: string) => string = String,
): string {
  const size = (text: string) => Buffer.byteLength(write(text)) - Buffer.byteLength(write(''))
  const count = Math.floor((bytes - size(start + end)) / size(units.join('')))
  return start + units.map((unit) => unit.repeat(count)).join('') + end
}
