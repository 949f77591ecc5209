import { html, NO_HTML, type Html } from '../../../html/html.ts'
import { codeBlock, jsonMarkup, shellMarkup } from './code-markup.ts'
import { curlExample } from './curl-example.ts'
import { mediaExample } from './example-value.ts'
import { bodyTable, headersTable, parametersTable, responseTable, sharedHeaders } from './field-tables.ts'
import type { Access, Operation } from './list-operations.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import {
  isSharedError,
  mainMedia,
  resolve,
  type Method,
  type OpenApiDocument,
  type RequestBody,
  type Response,
} from './openapi-document.ts'

type Context = { document: OpenApiDocument; baseUrl: string }

/** One operation: its description on the left, examples on the right. */
export function operationHtml(context: Context, operation: Operation): Html {
  const { method, path, anchor, title, object } = operation
  return html`<section class="operation" id="${anchor}">
    <div class="operation-text">
      <h3>
        <a class="anchor" href="#${anchor}">${title}</a>
        ${object.deprecated ? html`<span class="badge badge-warn">Deprecated</span>` : NO_HTML}
      </h3>
      <p class="route">${methodBadge(method)} <code>${pathMarkup(path)}</code></p>
      ${accessHtml(operation.access)} ${object.description ? markdown(object.description) : NO_HTML}
      ${parametersTable(context.document, operation.parameters)} ${bodyHtml(context.document, operation)}
      ${responsesHtml(context.document, operation)}
    </div>
    <div class="operation-code">${codeHtml(context, operation)}</div>
  </section>`
}

export const methodBadge = (method: Method): Html =>
  html`<span class="method method-${method}">${method.toUpperCase()}</span>`

/** Highlights path parameters. Long paths wrap at their slashes. */
function pathMarkup(path: string): Html {
  const parts = path.split(/(\{[^}]+\})/)
  return html`${parts.map((part, position) =>
    position % 2 === 1
      ? html`<span class="path-parameter">${part}</span>`
      : part.split('/').map((word, place) => (place === 0 ? word : html`/<wbr />${word}`)),
  )}`
}

function accessHtml({ isKeyNeeded, scopes }: Access): Html {
  if (!isKeyNeeded && scopes.length === 0) return html`<p class="access">Needs no key.</p>`
  if (scopes.length === 0) return html`<p class="access">Needs a key, with any scope.</p>`
  const names = scopes.map((scope, position) => [position > 0 && ' or ', html`<code>${scope}</code>`])
  return html`<p class="access">Needs a key with the scope ${names}.</p>`
}

function bodyHtml(document: OpenApiDocument, { object }: Operation): Html {
  if (!object.requestBody) return NO_HTML
  const body = resolve<RequestBody>(document, object.requestBody)
  const main = mainMedia(body.content)
  return html`<h4>
      Request body <span class="soft">${main?.type ?? ''}${body.required === false && ', optional'}</span>
    </h4>
    ${body.description ? markdown(body.description) : NO_HTML}
    ${main ? bodyTable(document, main.media.schema) : NO_HTML}`
}

function responsesHtml(document: OpenApiDocument, operation: Operation): Html {
  const responses = Object.entries(operation.object.responses ?? {})
  if (responses.length === 0) return NO_HTML
  const main = redirects(operation) ? /^30[23]/ : /^2/
  const rows = responses.map(([status, response]) => ({
    status,
    isMain: main.test(status),
    ...resolve<Response>(document, response),
  }))
  return html`<h4>Responses</h4>
    <div class="responses">
      ${rows.map((response) => responseHtml(document, response, sameSuccess(rows, response)))}
    </div>`
}

/** Most requests are answered with the main ones. */
type ShownResponse = Response & { status: string; isMain: boolean }

const redirects = ({ object }: Operation): boolean =>
  Object.keys(object.responses ?? {}).some((status) => status.startsWith('3'))

/** Another success with the same body, which is shown there. */
function sameSuccess(
  responses: readonly ShownResponse[],
  { status, content }: ShownResponse,
): string | undefined {
  const success = successOf(responses)
  const isSame = success !== undefined && JSON.stringify(success.content) === JSON.stringify(content)
  return isSame && success.status !== status ? success.status : undefined
}

/** Of several, the last: what was created rather than what was there. */
const successOf = <Any extends { status: string }>(responses: readonly Any[]): Any | undefined =>
  responses.findLast(({ status }) => status.startsWith('2'))

function responseHtml(document: OpenApiDocument, response: ShownResponse, same: string | undefined): Html {
  const { status, isMain } = response
  const main = mainMedia(response.content)
  const types = Object.keys(response.content ?? {})
  const isShared = main !== undefined && isSharedError(main.media.schema)
  // The example of a success is in the right column, those of errors are folded in here, and that of all refusals is in the introduction.
  const example = main && !isMain && !isShared ? mediaExample(document, main.media) : undefined
  return html`<details class="response" ${isMain && html`open`}>
    <summary>${statusBadge(status)} <span>${inlineMarkdown(response.description ?? '')}</span></summary>
    <div class="response-in">
      ${types.length > 1 ? html`<p class="soft">${types.join(' or ')}</p>` : NO_HTML}
      ${
        same !== undefined
          ? html`<p class="soft">The same body as ${same}.</p>`
          : isShared
            ? html`<p class="soft">The body of <a href="#refusals">refusals</a>.</p>`
            : main
              ? responseTable(document, main.media.schema, status)
              : html`<p class="soft">No body.</p>`
      }
      ${example === undefined ? NO_HTML : codeBlock(jsonMarkup(example), `Example of ${status}`)}
      ${headersTable(document, response.headers)} ${sharedHeaders(response.headers)}
    </div>
  </details>`
}

const statusBadge = (status: string): Html =>
  html`<span class="status status-${/^[1-5]/.exec(status)?.[0] ?? 'other'}">${status}</span>`

function codeHtml({ document, baseUrl }: Context, operation: Operation): Html {
  const responses = Object.entries(operation.object.responses ?? {})
  // A redirect has no body to show.
  const success = redirects(operation)
    ? undefined
    : successOf(responses.map(([status, response]) => ({ status, response })))
  const main = success && mainMedia(resolve<Response>(document, success.response).content)
  const example = main && mediaExample(document, main.media)
  return html`<figure class="code-card">
      <figcaption>Request</figcaption>
      ${codeBlock(shellMarkup(curlExample(document, operation, baseUrl)), `curl: ${operation.title}`)}
    </figure>
    ${
      success && main && example !== undefined
        ? html`<figure class="code-card">
            <figcaption>
              Response ${statusBadge(success.status)} <span class="soft">${main.type}</span>
            </figcaption>
            ${codeBlock(jsonMarkup(example), `Answer: ${operation.title}`)}
          </figure>`
        : NO_HTML
    }`
}
