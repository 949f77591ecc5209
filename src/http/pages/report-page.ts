import type { FieldErrors } from '../../errors/refusal.ts'
import { html, type Html, NO_HTML, page, STABLE_CSS_HREF } from '../../html/html.ts'
import { REASON_NAMES, REASONS } from '../../operator/reports/report-fields.ts'
import { PERCH } from '../../redirect/notice-pages.ts'

/** What a visitor has sent, to be sent again. */
export type SentReport = { reason: string; message: string }

type ReportForm = {
  /** As in a browser's address bar: without the scheme. */
  host: string
  code: string
  sent?: SentReport
  errors?: FieldErrors
  /** About the whole form. */
  alert?: string
}

/** The same for every link. */
export function reportPage({ host, code, sent, errors = {}, alert }: ReportForm): string {
  const title = `Report ${host}/${code}`
  const body = html`<main class="notice">
    <div class="report">
      <div class="preview-head">
        ${PERCH}
        <h1>
          <span class="preview-label">Report this link</span>
          <span dir="ltr">${host}/<b>${code}</b></span>
        </h1>
      </div>
      <form class="preview-card" method="post" action="/report/${encodeURIComponent(code)}">
        ${alert === undefined ? NO_HTML : html`<p class="report-error" role="alert">${alert}</p>`}
        ${reasonFields(sent?.reason, errors.reason?.[0])} ${messageField(sent?.message, errors.message?.[0])}
        <button class="button button-primary">Send report</button>
      </form>
      <p class="report-foot">
        Sent to this server’s operator. Your name, email and IP address are not included.
      </p>
      <p class="preview-foot"><a href="/#visitors">About this page</a></p>
    </div>
  </main>`
  return page({ title, body, cssHref: STABLE_CSS_HREF })
}

export const thanksPage = (): string =>
  page({
    title: 'Thank you for the report',
    body: html`<main class="notice">
      <div class="notice-card">
        ${PERCH}
        <h1>Thank you</h1>
        <p>The operator of this server decides what happens to the link. You won’t get a reply.</p>
        <p class="notice-foot"><a href="/#visitors">About this page</a></p>
      </div>
    </main>`,
    cssHref: STABLE_CSS_HREF,
  })

const reasonFields = (chosen: string | undefined, error: string | undefined): Html =>
  html`<fieldset ${error === undefined ? NO_HTML : REASON_DESCRIBED}>
    <legend>What is wrong with it?</legend>
    ${REASONS.map(
      (reason) =>
        html`<label>
          <input
            type="radio"
            name="reason"
            value="${reason}"
            ${reason === chosen ? CHECKED : NO_HTML}
            required
          />
          ${REASON_NAMES[reason]}
        </label>`,
    )}
    ${errorLine('reason', error)}
  </fieldset>`

// Without `maxlength`, which would cut what is pasted.
const messageField = (text: string | undefined, error: string | undefined): Html =>
  html`<label for="message">Message <span class="preview-label">(optional)</span></label>
    <textarea id="message" name="message" rows="4" ${error === undefined ? NO_HTML : MESSAGE_INVALID}>
${text ?? ''}</textarea>
    ${errorLine('message', error)}`

const CHECKED = html`checked`
const REASON_DESCRIBED = html`aria-describedby="reason-error"`
const MESSAGE_INVALID = html`aria-invalid="true" aria-describedby="message-error"`

const errorLine = (field: string, error: string | undefined): Html =>
  error === undefined ? NO_HTML : html`<p class="report-error" id="${field}-error" role="alert">${error}</p>`
