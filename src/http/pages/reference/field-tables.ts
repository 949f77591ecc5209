import { html, NO_HTML, type Html } from '../../../html/html.ts'
import { inlineMarkdown } from './markdown.ts'
import {
  resolve,
  type Header,
  type OpenApiDocument,
  type Parameter,
  type Reference,
  type Schema,
} from './openapi-document.ts'
import { fieldRow, fieldRows, type FieldRow } from './schema-fields.ts'

type Column = { title: string; cell: (row: TableRow) => Html | string }
type TableRow = FieldRow & { in?: string }

export function parametersTable(document: OpenApiDocument, parameters: Parameter[]): Html {
  if (parameters.length === 0) return NO_HTML
  const rows = parameters.map((parameter) => {
    const at = { path: parameter.name, isRequired: parameter.required === true }
    const row = fieldRow(document, parameter.schema ?? {}, at)
    const isDeprecated = row.isDeprecated || parameter.deprecated === true
    return { ...row, in: parameter.in, isDeprecated, description: parameter.description ?? row.description }
  })
  return html`<h4>Parameters</h4>
    ${table(rows, 'Parameters', [NAME, IN, TYPE, DEFAULT, BOUNDS, DESCRIPTION])}`
}

export function bodyTable(document: OpenApiDocument, schema: Schema | Reference | undefined): Html {
  const rows = fieldRows(document, schema)
  return rows.length === 0 ? NO_HTML : table(rows, 'Request body', BODY_COLUMNS)
}

/** What stands so deep in a response, like the conditions of rules, is described where it is sent. */
const NAMED_DEPTH_MAX = 2

export function responseTable(
  document: OpenApiDocument,
  schema: Schema | Reference | undefined,
  status: string,
): Html {
  // "Required" only matters to the client in requests. In responses nearly every field would have it.
  const rows = fieldRows(document, schema, NAMED_DEPTH_MAX).map((row) => ({ ...row, isRequired: false }))
  return rows.length === 0 ? NO_HTML : table(rows, `Response ${status}`, BODY_COLUMNS)
}

/** The headers that most responses share: the introduction describes them, operations only name them. */
export function sharedHeaders(headers: Record<string, Header | Reference> | undefined): Html {
  const names = Object.entries(headers ?? {}).flatMap(([name, value]) => ('$ref' in value ? name : []))
  if (names.length === 0) return NO_HTML
  return html`<p class="soft">
    <a href="#headers">Headers</a>: ${names.map((name, at) => [at > 0 && ', ', html`<code>${name}</code>`])}
  </p>`
}

/** The headers that only this response has. */
export function headersTable(
  document: OpenApiDocument,
  headers: Record<string, Header | Reference> | undefined,
): Html {
  const own = Object.entries(headers ?? {}).filter(([, value]) => !('$ref' in value))
  const rows = own.map(([name, value]) => {
    const header = resolve<Header>(document, value)
    const row = fieldRow(document, header.schema ?? {}, { path: name, isRequired: false })
    return { ...row, description: header.description ?? row.description }
  })
  return rows.length === 0
    ? NO_HTML
    : table(rows, 'Headers', [{ ...NAME, title: 'Header' }, TYPE, DESCRIPTION])
}

const NAME: Column = {
  title: 'Name',
  cell: (row) =>
    html`<code class="field ${isLong(row.path) && 'field-long'}">${fieldPath(row.path)}</code>
      ${row.isRequired && html`<span class="required">required</span>`}
      ${row.isDeprecated && html`<span class="badge badge-warn">deprecated</span>`}`,
}
const IN: Column = { title: 'In', cell: (row) => row.in ?? '' }
const TYPE: Column = { title: 'Type', cell: (row) => row.type }
const DEFAULT: Column = {
  title: 'Default',
  cell: (row) => (row.default ? html`<code>${row.default}</code>` : ''),
}
const BOUNDS: Column = {
  title: 'Bounds',
  cell: (row) =>
    html`${row.bounds.map((bound, place) => [place > 0 && html`<br />`, inlineMarkdown(bound)])}`,
}
const DESCRIPTION: Column = { title: 'Description', cell: (row) => inlineMarkdown(row.description) }

const BODY_COLUMNS = [NAME, TYPE, DEFAULT, BOUNDS, DESCRIPTION]

// Longer paths may wrap at their dots.
const PATH_CHARS_UNBROKEN = 26

const isLong = (path: string): boolean => path.length > PATH_CHARS_UNBROKEN

/** The field's own name in full color, the path to it muted. */
function fieldPath(path: string): Html {
  if (path === '') return html`(body)`
  const cut = path.lastIndexOf('.') + 1
  const outer = path
    .slice(0, cut)
    .split('.')
    .filter((step) => step !== '')
  const dot = isLong(path) ? html`.<wbr />` : '.'
  return html`<span class="soft">${outer.map((step) => [step, dot])}</span>${path.slice(cut)}`
}

function table(rows: TableRow[], label: string, columns: Column[]): Html {
  // Empty columns would only take space from the others.
  const usedColumns = columns.filter(({ cell }) => rows.some((row) => String(cell(row)) !== ''))
  return html`<div class="table-frame" tabindex="0" role="group" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${usedColumns.map(({ title }) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${usedColumns.map(({ title, cell }) => html`<td class="col-${title.toLowerCase()}">${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
