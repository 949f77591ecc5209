import { html, type Html, NO_HTML, page, STABLE_CSS_HREF } from '../../html/html.ts'
import type { LinkPreview } from '../../links/find-preview.ts'
import { FROM_PREVIEW } from '../../redirect/forward-query.ts'
import { DATE, PERCH } from '../../redirect/notice-pages.ts'

export type Preview = LinkPreview & {
  /** As in a browser's address bar: without the scheme. */
  host: string
  code: string
  /** Pure ASCII; undefined where a visitor has to open the link to learn it. */
  destination: string | undefined
}

/** What deceives is the host, and a longer path hides the button. */
const DESTINATION_CHARS_MAX = 500

/** Says where a link leads before it is opened. No script, and nothing of the destination's. */
export function previewPage({ host, code, destination, title, createdAtUs, hasRules }: Preview): string {
  const body = html`<main class="notice">
    <div class="preview">
      <div class="preview-head">
        ${PERCH}
        <h1>
          <span class="preview-label">The link</span>
          <span dir="ltr">${host}/<b>${code}</b></span>
        </h1>
      </div>
      <div class="preview-card">
        ${destination === undefined ? HIDDEN : shownDestination(destination)}
        ${title === '' ? NO_HTML : ownersTitle(title)}
      </div>
      <ul>
        ${hasRules && destination !== undefined ? DEPENDS : NO_HTML}
        <li>In use since ${DATE.format(createdAtUs / 1000)}.</li>
      </ul>
      <a class="button button-primary" href="/${code}?${FROM_PREVIEW}" rel="nofollow">
        ${destination === undefined ? 'Open the link' : `Continue to ${new URL(destination).host}`}
      </a>
      <p class="preview-foot"><a href="/#visitors">What is this?</a></p>
    </div>
  </main>`
  return page({ title: `Preview of ${host}/${code}`, body, cssHref: STABLE_CSS_HREF })
}

const HIDDEN = html`<p class="preview-label">This link shows where it leads only to those who open it.</p>`

const DEPENDS = html`<li>
  Where it leads can depend on the visitor, for example on country, device or language. This is where you
  would land now.
</li>`

function shownDestination(destination: string): Html {
  const { protocol, host } = new URL(destination)
  const path = destination.slice(protocol.length + 2 + host.length)
  const shown = path.length <= DESTINATION_CHARS_MAX ? path : `${path.slice(0, DESTINATION_CHARS_MAX)}…`
  return html`<p class="preview-label">leads to</p>
    <p class="preview-destination" dir="ltr">${protocol}//<b>${host}</b>${shown}</p>`
}

const ownersTitle = (title: string): Html =>
  html`<div class="preview-title">
    <p><bdi>${title}</bdi></p>
    <p class="preview-label">Title given by the owner of the link</p>
  </div>`
