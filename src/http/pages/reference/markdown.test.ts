import { expect, test } from 'bun:test'
import { headingsOf, inlineMarkdown, markdown } from './markdown.ts'

test('paragraphs end at an empty line and keep their lines together', () => {
  expect(markdown('one\ntwo\n\nthree').markup).toBe('<p>one\ntwo</p><p>three</p>')
})

test('lists hold their items, with what is wrapped onto the next line', () => {
  const { markup } = markdown('- a\n  b\n- c\n\n1. d\n2. e')
  expect(markup.replaceAll(/\s*\n\s*/g, '')).toBe(
    '<ul><li>ab</li><li>c</li></ul><ol><li>d</li><li>e</li></ol>',
  )
})

test('headings get an anchor and are listed', () => {
  expect(markdown('# Top\n### Small').markup).toBe('<h2 id="about-top">Top</h2><h3>Small</h3>')
  const headings = headingsOf('## One `x`\n### No\n```\n## code\n```\n## Two')
  expect(headings.map(({ title, anchor }) => [title.markup, anchor])).toEqual([
    ['One <code>x</code>', 'about-one-x'],
    ['Two', 'about-two'],
  ])
})

test('fenced code keeps its lines and marks, and an open fence ends with the text', () => {
  expect(markdown('```json\n{ "a": "**b**" }\n\n  <c>\n```\nafter').markup).toContain(
    '<code>{ &quot;a&quot;: &quot;**b**&quot; }\n\n  &lt;c&gt;\n</code>',
  )
  expect(markdown('```\nrest').markup).toContain('<code>rest')
})

test('code, strong text and links are marked within a line, and nothing inside code is', () => {
  expect(inlineMarkdown('a `**b**` **c** [d](https://e.example/) snake_case_name').markup).toBe(
    'a <code>**b**</code> <strong>c</strong> <a href="https://e.example/">d</a> snake_case_name',
  )
})

test('links lead to the web, this host or this page only', () => {
  const elsewhere = [
    'javascript:alert`1`',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'JaVaScRiPt:x',
  ]
  for (const href of [
    ...elsewhere,
    'java&#115;cript:x',
    '&#x2f;/evil.example',
    'vbscript:x',
    'file:///etc',
  ]) {
    for (const text of [
      `[x](${href})`,
      `[x](<${href}>)`,
      `[x][y]\n\n[y]: ${href}`,
      `<${href}>`,
      `![x](${href})`,
    ])
      expect(markdown(text).markup).not.toMatch(/ (?:href|src)=/)
  }
  expect(inlineMarkdown('[x](/docs) [y](#a)').markup).toBe('<a href="/docs">x</a> <a href="#a">y</a>')
})

test('markup in a text is text', () => {
  expect(markdown('<script>x</script>\n\n## <b>').markup).not.toMatch(/<script|<b>/)
})

/** Everything that an answer of Markdown may be made of, with its attributes. */
const ELEMENT =
  /<(?:\/?(?:p|ul|ol|li|h3|code|strong)|\/(?:h2|pre|a)|h2 id="about-[^"<>]*"|pre class="code" tabindex="0"|a href="(?:https?:\/\/|\/(?![/\\])|#)[^"<>]*")>/gi

test('whatever the text, nothing but the known elements and escaped text comes of it', () => {
  const pieces =
    '< > " \' & &lt; &#60; &quot; <b <img/src=x onerror=y> </p> <!-- --> <![CDATA[ ]]> <?x ?> ` ``` ~~~ ** * _ ~~ # ## - 1. [ ] ( ) ![ ]( <https://a.b> <javascript:x> | |-| \\ \\< \t \n \n\n \r \0 a é 😀 \ud800 " onclick=x [x]: "t" https://a.b www.a.b a@b.c'
      .split(' ')
      .concat(' ', '    ')
  let random = 1
  const draw = () => (random = (random * 48_271) % 2_147_483_647)
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: 1 + (draw() % 14) }, () => pieces[draw() % pieces.length]).join('')
    for (const { markup } of [
      markdown(text),
      inlineMarkdown(text),
      ...headingsOf(text).map(({ title }) => title),
    ])
      expect([text, markup.replaceAll(ELEMENT, '')]).toEqual([text, expect.not.stringMatching(/[<>"']/)])
  }
})
