import { Html, html } from '../../../html/html.ts'

/** A heading, for the navigation. */
export type Heading = { title: Html; anchor: string }

type Elements = NonNullable<Parameters<typeof Bun.markdown.render>[1]>

const OPTIONS = {
  noHtmlBlocks: true,
  noHtmlSpans: true,
  noIndentedCodeBlocks: true,
  tables: false,
  tasklists: false,
  strikethrough: false,
  headings: { ids: true },
}

/** Bun renders from the inside out, so the children of an element are markup made by these callbacks. */
const markup = (children: string) => new Html(children)
const anchorOf = (id = '') => `about-${id}`

/** Every text goes through `text`, which escapes it. Elements not listed here show their text only. */
const ELEMENTS: Elements = {
  text: (text) => html`${text}`.markup,
  paragraph: (children) => html`<p>${markup(children)}</p>`.markup,
  // The page has its own h1.
  heading: (children, { level, id }) =>
    level <= 2
      ? html`<h2 id="${anchorOf(id)}">${markup(children)}</h2>`.markup
      : html`<h3>${markup(children)}</h3>`.markup,
  list: (children, { ordered }) =>
    ordered
      ? html`<ol>
          ${markup(children)}
        </ol>`.markup
      : html`<ul>
          ${markup(children)}
        </ul>`.markup,
  listItem: (children) => html`<li>${markup(children)}</li>`.markup,
  code: (children) => html`<pre class="code" tabindex="0"><code>${markup(children)}</code></pre>`.markup,
  codespan: (children) => html`<code>${markup(children)}</code>`.markup,
  strong: (children) => html`<strong>${markup(children)}</strong>`.markup,
  link: (children, { href }) =>
    isSafe(href) ? html`<a href="${href}">${markup(children)}</a>`.markup : children,
}

/** The web, this host or this page. Never javascript: or data:. */
const isSafe = (href: string): boolean => /^(https?:\/\/|\/(?![/\\])|#)/i.test(href)

/** Renders paragraphs, headings, lists, code, strong text and links. */
export const markdown = (text: string): Html => markup(Bun.markdown.render(text, ELEMENTS, OPTIONS))

/** The same without paragraphs, to use within a line. */
export const inlineMarkdown = (text: string): Html =>
  markup(Bun.markdown.render(text, { ...ELEMENTS, paragraph: (children) => children }, OPTIONS))

/** The second-level headings of a text, with the anchors that `markdown` renders. */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  Bun.markdown.render(
    text,
    {
      ...ELEMENTS,
      heading(children, { level, id }) {
        if (level === 2) headings.push({ title: markup(children), anchor: anchorOf(id) })
        return ''
      },
    },
    OPTIONS,
  )
  return headings
}
