/** The stylesheet without its hash, for pages made outside `http/` and by an older process. */
export const STABLE_CSS_HREF = '/assets/site.css'

/** Markup that is safe to send. Made by `html`, from constants, or by a renderer that escapes every text. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }

  toString(): string {
    return this.markup
  }
}

/** Text is escaped, lists are joined, and null, undefined and false render as nothing. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

export const NO_HTML = new Html('')

/** Safe in text and in quoted attributes. Values must not appear anywhere else. */
const escapeHtml = (text: string): string => Bun.escapeHTML(text)

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = strings[0] ?? ''
  for (const [position, value] of values.entries()) {
    markup += markupOf(value) + (strings[position + 1] ?? '')
  }
  return new Html(markup)
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(markupOf).join('')
  return escapeHtml(String(value))
}

export type Page = {
  title: string
  body: Html
  /** One sentence, for search engines and link previews. */
  description?: string | undefined
  cssHref: string
}

/** The skeleton of every page. No script and no inline style, so the strictest Content Security Policy applies. */
export function page({ title, body, description, cssHref }: Page): string {
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${description ? html`<meta name="description" content="${description}" />` : NO_HTML}
    <link rel="icon" href="/favicon.ico" sizes="32x32" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${cssHref}" />`
  return `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`
}
