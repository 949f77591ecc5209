import { expect, test } from 'bun:test'
import { headingsOf, inlineMarkdown, markdownLite } from './markdown-lite.ts'

const flat = (text: string) => markdownLite(text).markup.replaceAll(/\s*\n\s*/g, '')

test('paragraphs end at an empty line and join their lines', () => {
  expect(flat('one\ntwo\n\nthree')).toBe('<p>one two</p><p>three</p>')
})

test('lists hold their items, with what is wrapped onto the next line', () => {
  expect(flat('- a\n  b\n- c\n\n1. d\n2. e')).toContain('<li>a b</li>')
  expect(flat('- a\n\n1. d')).toMatch(/<ul>.*<\/ul><ol>.*<\/ol>/)
})

test('headings get an anchor and are listed', () => {
  expect(flat('# Top\n### Small')).toBe('<h2 id="about-top">Top</h2><h3>Small</h3>')
  expect(headingsOf('## One `x`\n### No\n```\n## code\n```\n## Two')).toEqual([
    { title: 'One `x`', anchor: 'about-one-x' },
    { title: 'Two', anchor: 'about-two' },
  ])
})

test('fenced code keeps its lines and marks, and an open fence ends with the text', () => {
  expect(markdownLite('```json\n{ "a": "**b**" }\n\n  <c>\n```\nafter').markup).toContain(
    '<code>{ &quot;a&quot;: &quot;**b**&quot; }\n\n  &lt;c&gt;</code>',
  )
  expect(markdownLite('```\nrest').markup).toContain('<code>rest</code>')
})

test('code, strong and links are marked within a line, and nothing inside code is', () => {
  expect(inlineMarkdown('a `**b**` **c** [d](https://e.example/)').markup).toBe(
    'a <code>**b**</code> <strong>c</strong> <a href="https://e.example/">d</a>',
  )
})

test('links lead to the web, this host or this page only', () => {
  for (const href of ['javascript:alert`1`', 'data:text/html,x', '//evil.example', 'JaVaScRiPt:x']) {
    expect(inlineMarkdown(`[x](${href})`).markup).not.toContain('href')
  }
  expect(inlineMarkdown('[x](/docs) [y](#a)').markup).toBe('<a href="/docs">x</a> <a href="#a">y</a>')
})

test('markup in a text is text', () => {
  expect(flat('<script>x</script>\n\n## <b>')).not.toMatch(/<script|<b>/)
})
