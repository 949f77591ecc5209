import { expect, test } from 'bun:test'
import { codeBlock, jsonMarkup, shellMarkup } from './code-markup.ts'
import { html } from '../../../html/html.ts'

test('names, strings and values of JSON are highlighted differently', () => {
  expect(jsonMarkup({ a: ['x', 1, true] }).markup).toBe(
    '{\n  <span class="tok-name">&quot;a&quot;:</span> [\n    <span class="tok-text">&quot;x&quot;</span>,\n' +
      '    <span class="tok-value">1</span>,\n    <span class="tok-value">true</span>\n  ]\n}',
  )
})

test('marked code is still escaped, and reads as it was without its marks', () => {
  const hostile = { '</code><script>': '"<img src=x>&' }
  const made = jsonMarkup(hostile).markup
  expect(made).not.toMatch(/<script|<img|<\/code/)
  const text = made
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  expect(JSON.parse(text.replaceAll('&amp;', '&'))).toEqual(hostile)
})

test('a command shows its options and quoted words', () => {
  const made = shellMarkup(`curl -X PUT 'a b' \\\n  -H "K: $V"`).markup
  expect(made).toContain('<span class="tok-name">curl</span> <span class="tok-value">-X</span> PUT')
  expect(made).toContain('<span class="tok-text">&quot;K: $V&quot;</span>')
})

test('a block of code can be reached and scrolled with the keyboard, and has a name', () => {
  expect(codeBlock(html`x`, 'A "b"').markup).toContain(
    'tabindex="0" role="region" aria-label="A &quot;b&quot;"',
  )
})
