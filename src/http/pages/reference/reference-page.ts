import { html, NO_HTML, page, type Html } from '../../../html/html.ts'
import { codeBlock, jsonMarkup } from './code-markup.ts'
import { mediaExample } from './example-value.ts'
import { responseTable } from './field-tables.ts'
import { groupOperations, type OperationGroup } from './list-operations.ts'
import { headingsOf, inlineMarkdown, markdown } from './markdown.ts'
import {
  resolve,
  SHARED_ERROR,
  type Header,
  type OpenApiDocument,
  type SecurityScheme,
} from './openapi-document.ts'
import { methodBadge, operationHtml } from './operation-html.ts'
import { CSS_HREF } from '../site-css.ts'
import { SITE_FOOT, siteHead } from '../site-shell.ts'

/** The API reference on one page, generated from the OpenAPI document. */
export function referencePage(openapi: OpenApiDocument, { baseUrl }: { baseUrl: string }): string {
  const groups = groupOperations(openapi)
  const contents = contentsHtml(openapi, groups)
  const body = html`${siteHead('docs')}
    <div class="reference">
      <nav class="side" aria-label="Contents">${contents}</nav>
      <details class="side-fold" id="contents">
        <summary>Contents</summary>
        <nav aria-label="Contents">${contents}</nav>
      </details>
      <main id="main">
        ${introductionHtml(openapi, baseUrl)} ${groups.map((group) => groupHtml(openapi, group, baseUrl))}
      </main>
    </div>
    ${SITE_FOOT}`
  const description = openapi.info.summary ?? `Reference of the ${openapi.info.title} at ${baseUrl}.`
  return page({ title: `${openapi.info.title} · Reference`, description, body, cssHref: CSS_HREF })
}

function contentsHtml({ info }: OpenApiDocument, groups: OperationGroup[]): Html {
  const headings = headingsOf(info.description ?? '')
  return html`<p class="side-title"><a href="#introduction">Introduction</a></p>
    ${
      headings.length === 0
        ? NO_HTML
        : html`<ul>
            ${headings.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
          </ul>`
    }
    ${groups.map(
      ({ name, anchor, operations }) =>
        html`<p class="side-title"><a href="#${anchor}">${name}</a></p>
          <ul>
            ${operations.map(
              (operation) =>
                html`<li>
                  <a href="#${operation.anchor}"
                    ><span>${operation.title}</span>${methodBadge(operation.method)}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}`
}

function introductionHtml(openapi: OpenApiDocument, baseUrl: string): Html {
  const { info } = openapi
  return html`<section class="introduction" id="introduction">
    <p class="eyebrow">API reference <span class="badge">${info.version}</span></p>
    <h1>${info.title}</h1>
    <p class="base">Base address <code>${baseUrl}</code></p>
    <div class="prose">${info.description ? markdown(info.description) : NO_HTML}</div>
    ${schemesHtml(openapi)} ${sharedHeadersHtml(openapi)} ${refusalsHtml(openapi)}
  </section>`
}

function schemesHtml(openapi: OpenApiDocument): Html {
  const schemes = Object.values(openapi.components?.securitySchemes ?? {}).map((scheme) =>
    resolve<SecurityScheme>(openapi, scheme),
  )
  if (schemes.length === 0) return NO_HTML
  return html`<h2 id="keys">Ways to send the key</h2>
    <dl class="schemes">
      ${schemes.map(
        (scheme) =>
          html`<dt>${schemeTitle(scheme)}</dt>
            <dd>${inlineMarkdown(scheme.description ?? '')}</dd>`,
      )}
    </dl>`
}

function sharedHeadersHtml(openapi: OpenApiDocument): Html {
  const headers = Object.entries(openapi.components?.headers ?? {})
  if (headers.length === 0) return NO_HTML
  return html`<h2 id="headers">Response headers</h2>
    <dl class="schemes">
      ${headers.map(
        ([name, header]) =>
          html`<dt><code>${name}</code></dt>
            <dd>${inlineMarkdown(resolve<Header>(openapi, header).description ?? '')}</dd>`,
      )}
    </dl>`
}

function refusalsHtml(openapi: OpenApiDocument): Html {
  const schema = { $ref: SHARED_ERROR }
  if (openapi.components?.schemas?.Error === undefined) return NO_HTML
  return html`<h2 id="refusals">Refusals</h2>
    ${responseTable(openapi, schema, 'of a refusal')}
    ${codeBlock(jsonMarkup(mediaExample(openapi, { schema })), 'Example of a refusal')}`
}

function schemeTitle({ type, name, in: place, scheme }: SecurityScheme): Html {
  if (place === 'header') return html`Header <code>${name}: &lt;key&gt;</code>`
  if (place === 'query') return html`Query parameter <code>${name}=&lt;key&gt;</code>`
  if (place === 'cookie') return html`Cookie <code>${name}</code>`
  const word = scheme?.toLowerCase() === 'bearer' ? 'Bearer' : (scheme ?? type)
  return html`Header <code>Authorization: ${word} &lt;key&gt;</code>`
}

function groupHtml(document: OpenApiDocument, group: OperationGroup, baseUrl: string): Html {
  return html`<section class="group" aria-labelledby="${group.anchor}">
    <h2 id="${group.anchor}">${group.name}</h2>
    ${group.description ? html`<div class="prose">${markdown(group.description)}</div>` : NO_HTML}
    ${group.operations.map((operation) => operationHtml({ document, baseUrl }, operation))}
  </section>`
}
