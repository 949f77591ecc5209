import { html, type Html, NO_HTML } from '../html/html.ts'

/** The content of an email, as plain text. It is escaped here. */
export type EmailTemplate = {
  to: string
  subject: string
  paragraphs: readonly string[]
  /** Absent if the email only informs. */
  action?: { label: string; href: string }
  notes: readonly string[]
}

/** The URL has a line of its own, so that mail programs link all of it. */
export function emailText({ paragraphs, action, notes }: EmailTemplate): string {
  const parts = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ...notes,
  ]
  return parts.join('\n\n') + '\n'
}

// Inline styles, because mail programs drop the head. Colors are the reader's theme, except for the button.
const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#b9402b;color:#ffffff;font-weight:600;text-decoration:none'
const SMALL = 'margin:0 0 12px;font-size:13px;opacity:0.75;overflow-wrap:anywhere'

/** Nothing is fetched, so opening the email is not tracked. */
export function emailHtml({ subject, paragraphs, action, notes }: EmailTemplate): string {
  const body = html`<div style="max-width:520px;margin:0 auto">
    <h1 style="margin:0 0 16px;font-size:20px">${subject}</h1>
    ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)} ${actionHtml(action)}
    ${notes.map((text) => html`<p style="${SMALL}">${text}</p>`)}
  </div>`
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${html`${subject}`}</title></head>\n<body style="${BODY}">${body}</body>\n</html>\n`
}

function actionHtml(action: EmailTemplate['action']): Html {
  if (action === undefined) return NO_HTML
  return html`<p style="margin:24px 0"><a href="${action.href}" style="${BUTTON}">${action.label}</a></p>
    <p style="${SMALL}">If the button does not work, open this URL: ${action.href}</p>`
}
