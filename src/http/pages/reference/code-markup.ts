import { html, type Html } from '../../../html/html.ts'

const JSON_TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const SHELL_TOKENS = /^curl\b|(?<=\s)-[A-Za-z](?=\s)|"[^"]*"|'(?:[^']|'\\'')*'|\$[A-Z_]+/gm

/** A value as highlighted, indented JSON. A string is shown as it is. */
export function jsonMarkup(value: unknown): Html {
  if (typeof value === 'string') return html`${value}`
  return mark(JSON.stringify(value, null, 2) ?? '', JSON_TOKENS, (token) => {
    if (token.endsWith(':')) return 'tok-name'
    return token.startsWith('"') ? 'tok-text' : 'tok-value'
  })
}

/** A highlighted curl command. */
export function shellMarkup(command: string): Html {
  return mark(command, SHELL_TOKENS, (token) => {
    if (token === 'curl') return 'tok-name'
    return token.startsWith('-') ? 'tok-value' : 'tok-text'
  })
}

/** A block of code that scrolls on its own; `tabindex` makes it scroll with the keyboard too. */
export const codeBlock = (code: Html, label: string): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`

function mark(text: string, tokens: RegExp, className: (token: string) => string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    parts.push(text.slice(end, match.index), html`<span class="${className(match[0])}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${parts}${text.slice(end)}`
}
