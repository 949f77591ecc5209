import { html, type Html, NO_HTML } from '../html/html.ts'

/** The content of an email, as plain text. It is escaped here. */
export type EmailTemplate = {
  to: string
  subject: string
  paragraphs: readonly string[]
  tables?: readonly EmailTable[]
  /** Absent if the email only informs. */
  action?: { label: string; href: string }
  notes: readonly string[]
  /** Of recurring emails. */
  unsubscribeHref?: string
  /** With `<` and `>`. The same for an email that may be sent twice, so that the reader's server can drop the second one. */
  messageId?: string
}

/** Without a heading it is ''. */
export type EmailTable = { heading: string; rows: readonly (readonly [name: string, value: string])[] }

/** The URL has a line of its own, so that mail programs link all of it. */
export function emailText({
  paragraphs,
  tables = [],
  action,
  notes,
  unsubscribeHref,
}: EmailTemplate): string {
  const parts = [
    ...paragraphs,
    ...tables.map(tableText),
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ...notes,
    ...(unsubscribeHref === undefined ? [] : [`${UNSUBSCRIBE}:\n${unsubscribeHref}`]),
  ]
  return parts.join('\n\n') + '\n'
}

const UNSUBSCRIBE = 'Unsubscribe'

const tableText = ({ heading, rows }: EmailTable): string =>
  [...(heading === '' ? [] : [heading]), ...rows.map(([name, value]) => `${name}: ${value}`)].join('\n')

// Inline styles, because mail programs drop the head. Colors are the reader's theme, except for the button.
const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#b9402b;color:#ffffff;font-weight:600;text-decoration:none'
const SMALL = 'margin:0 0 12px;font-size:13px;opacity:0.75;overflow-wrap:anywhere'

const TABLE = 'width:100%;margin:0 0 24px;border-collapse:collapse'
const NAME = 'padding:6px 12px 6px 0;text-align:left;font-weight:400;overflow-wrap:anywhere'
const VALUE = 'padding:6px 0;text-align:right;white-space:nowrap;vertical-align:top'

/** Nothing is fetched, so opening the email is not tracked. */
export function emailHtml(email: EmailTemplate): string {
  const { subject, paragraphs, tables = [], action, notes, unsubscribeHref } = email
  const body = html`<div style="max-width:520px;margin:0 auto">
    <h1 style="margin:0 0 16px;font-size:20px">${subject}</h1>
    ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)} ${tables.map(tableHtml)}
    ${actionHtml(action)} ${notes.map((text) => html`<p style="${SMALL}">${text}</p>`)}
    ${unsubscribeHref === undefined ? NO_HTML : html`<p style="${SMALL}"><a href="${unsubscribeHref}">${UNSUBSCRIBE}</a></p>`}
  </div>`
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${html`${subject}`}</title></head>\n<body style="${BODY}">${body}</body>\n</html>\n`
}

function actionHtml(action: EmailTemplate['action']): Html {
  if (action === undefined) return NO_HTML
  return html`<p style="margin:24px 0"><a href="${action.href}" style="${BUTTON}">${action.label}</a></p>
    <p style="${SMALL}">If the button does not work, open this URL: ${action.href}</p>`
}

const tableHtml = ({ heading, rows }: EmailTable): Html =>
  html`${heading === '' ? NO_HTML : html`<h2 style="margin:0 0 8px;font-size:16px">${heading}</h2>`}
    <table style="${TABLE}">
      ${rows.map(
        ([name, value]) =>
          html`<tr>
            <th scope="row" style="${NAME}">${name}</th>
            <td style="${VALUE}">${value}</td>
          </tr>`,
      )}
    </table>`
