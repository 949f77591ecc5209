import { html, type Html, NO_HTML } from '../html.ts'

/** What a mail says, before it is made into one. Plain text: everything is escaped here. */
export type Letter = {
  to: string
  subject: string
  paragraphs: readonly string[]
  /** What the mail is sent for; absent in one that only tells. */
  action?: { label: string; href: string }
  /** Small print under the action. */
  notes: readonly string[]
}

/** For programs that show no HTML: the address stands in a line of its own, so that all of it can be clicked. */
export function letterText({ paragraphs, action, notes }: Letter): string {
  const parts = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ...notes,
  ]
  return parts.join('\n\n') + '\n'
}

// Styles stand inline, because mail programs drop what is in the head. Colours are left to the reader's theme, but for
// the button, which brings both of its own.
const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#b9402b;color:#ffffff;font-weight:600;text-decoration:none'
const SMALL = 'margin:0 0 12px;font-size:13px;opacity:0.75;overflow-wrap:anywhere'

/** No pictures, and nothing that is fetched: opening the mail tells nobody. */
export function letterHtml({ subject, paragraphs, action, notes }: Letter): string {
  const body = html`<div style="max-width:520px;margin:0 auto">
    <h1 style="margin:0 0 16px;font-size:20px">${subject}</h1>
    ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)} ${actionHtml(action)}
    ${notes.map((text) => html`<p style="${SMALL}">${text}</p>`)}
  </div>`
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${html`${subject}`}</title></head>\n<body style="${BODY}">${body}</body>\n</html>\n`
}

function actionHtml(action: Letter['action']): Html {
  if (action === undefined) return NO_HTML
  return html`<p style="margin:24px 0"><a href="${action.href}" style="${BUTTON}">${action.label}</a></p>
    <p style="${SMALL}">If the button does not work, open this URL: ${action.href}</p>`
}
