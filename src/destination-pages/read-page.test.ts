import { expect, test } from 'bun:test'
import { type PageFacts, readPage } from './read-page.ts'

const URL = 'https://shop.example/winter/index.html'

const NOTHING: PageFacts = {
  title: undefined,
  description: undefined,
  iconUrl: undefined,
  imageUrl: undefined,
}

test('a page with all that it can say', async () => {
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>Winter | Shop</title>
    <meta name="description" content="Plain"><meta property="og:title" content="Winter collection">
    <meta property="og:description" content="Jackets &amp; more"><meta property="og:image" content="/winter.jpg?a=1&amp;b=2">
    <link rel="icon" type="image/svg+xml" href="/icon.svg"><link rel="shortcut icon" href="/favicon.ico">
    <link rel="icon" type="image/png" href="icon-32.png"></head><body><h1>Winter</h1></body></html>`
  expect(await read(html)).toEqual({
    title: 'Winter collection',
    description: 'Jackets & more',
    iconUrl: 'https://shop.example/winter/icon-32.png',
    imageUrl: 'https://shop.example/winter.jpg?a=1&b=2',
  })
})

test('a page that says nothing', async () => {
  for (const html of ['', '<p>Hello</p>', '<title></title><title> </title>', 'not HTML', '\0\xff<', '<title'])
    expect(await read(html)).toEqual(NOTHING)
})

test('the plainest source is used when there is no better one', async () => {
  const html =
    '<TITLE>Winter\n  2026</TITLE><META NAME=Description CONTENT="Cold"><meta name=twitter:image content=//cdn.example/a.png>'
  expect(await read(html)).toEqual({
    ...NOTHING,
    title: 'Winter 2026',
    description: 'Cold',
    imageUrl: 'https://cdn.example/a.png',
  })
})

test('an icon for phones is used when the other ones cannot be passed on', async () => {
  const html =
    '<link rel=icon href=/favicon.ico?v=1><link rel=icon href=a.SVG><link rel="apple-touch-icon" href=/touch.png>'
  expect(await read(html)).toMatchObject({ iconUrl: 'https://shop.example/touch.png' })
})

test('pictures are found from the base of the page', async () => {
  const html =
    '<base href="https://cdn.example/x/"><base href="/other/"><meta property=og:image content=y.png>'
  expect(await read(html)).toMatchObject({ imageUrl: 'https://cdn.example/x/y.png' })
})

test('pictures of other schemes are not found', async () => {
  for (const url of [
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://[',
    'x'.repeat(9_000),
  ]) {
    const html = `<meta property="og:image" content="${url}"><link rel="icon" href="${url}">`
    expect(await read(html)).toEqual(NOTHING)
  }
})

test('only the first of each counts, and not what is in scripts, comments or drawings', async () => {
  const html = `<!-- <title>Comment</title> --><script>"<title>Script</title>"</script><svg><title>Drawing</title></svg>
    <title>First</title><title>Second</title><meta name="title" content="Meta">`
  expect(await read(html)).toEqual({ ...NOTHING, title: 'First' })
})

test('markup in a title is text, and what reorders text is left out', async () => {
  const title = async (text: string) => (await read(`<title>${text}</title>`)).title
  expect(await title('<img src=x onerror=alert(1)> &lt;b&gt;')).toBe('<img src=x onerror=alert(1)> <b>')
  expect(await title('invoice\u202egpj.exe &#x202e;x &rlm;\u2067y')).toBe('invoicegpj.exe x &rlm;y')
  expect(await title('a\0b\x07c&#0;d&#7;e&#x1b;[31m\u2028f')).toBe('a b c\ufffdd e [31m f')
  expect(await title('שלום 日本語 👩‍👩‍👧 é')).toBe('שלום 日本語 👩‍👩‍👧 é')
  expect(await title('&#xd800;&#1114112;&#99999999;')).toBe('\ufffd\ufffd&#99999999;')
})

test('texts are cut to the length of a title and of a description', async () => {
  const html = `<title>${'😀'.repeat(500_000)}</title><meta name="description" content="${'x'.repeat(900_000)}">`
  const { title, description } = await read(html)
  expect([...title!]).toHaveLength(255)
  expect(title).toBe(`${'😀'.repeat(254)}…`)
  expect(description).toBe(`${'x'.repeat(299)}…`)
})

test('a title across the parts in which a page is read is whole', async () => {
  for (const before of [16_360, 16_376, 32_760]) {
    expect(await read(`<p>${'é'.repeat(before / 2)}</p><title>Größe &amp; Maß</title>`)).toMatchObject({
      title: 'Größe & Maß',
    })
  }
})

const NIHON = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b)
const bytesOf = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

test('the charset comes from a mark, the header, or the page', async () => {
  const title = async (bytes: Uint8Array, type?: string) => (await read(bytes, type)).title
  expect(await title(bytesOf('<title>', NIHON, '</title>'), 'text/html; charset="Shift_JIS"')).toBe('日本')
  expect(await title(bytesOf('<meta charset=shift_jis><title>', NIHON, '</title>'))).toBe('日本')
  const declaration = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'
  expect(await title(bytesOf(declaration, '<title>Gr\xf6\xdfe \x80</title>'))).toBe('Größe €')
  expect(await title(Buffer.from('\ufeff<title>Größe</title>'), 'text/html; charset=shift_jis')).toBe('Größe')
  expect(await title(Buffer.from('\ufeff<title>Größe</title>', 'utf16le'))).toBe('Größe')
})

test('a charset that is unknown or a trick counts as UTF-8', async () => {
  for (const charset of ['utf-7', 'no-such-thing', 'utf-16', 'x'.repeat(10_000), 'replacement', '']) {
    expect(await read(`<meta charset="${charset}"><title>+ADw-b+AD4- Größe</title>`)).toMatchObject({
      title: '+ADw-b+AD4- Größe',
    })
  }
})

test('a challenge in front of a page has no title and no description', async () => {
  const html = '<title>Just a moment...</title><meta name="description" content="Checking">'
  expect(await read(html)).toMatchObject({ title: undefined, description: undefined })
})

test('a declaration in a comment is none', async () => {
  const html = Buffer.concat([
    Buffer.from('<!-- <meta charset=utf-8> --><title>Caf'),
    Buffer.from([0xe9]),
    Buffer.from('</title>'),
  ])
  expect(await read(html)).toMatchObject({ title: 'Café' })
})

test('a page without a charset is in windows-1252 if it cannot be UTF-8', async () => {
  expect(await read(bytesOf('<title>Gr\xf6\xdfe \x80</title>'))).toMatchObject({ title: 'Größe €' })
  const cutWithinCharacter = bytesOf(Buffer.from('<title>Größe</title></head>'), Uint8Array.of(0xc3))
  expect(await read(cutWithinCharacter)).toMatchObject({ title: 'Größe' })
})

test('nothing is read behind the head', async () => {
  for (const end of ['</head>', '</HEAD >', '<body class="<">'])
    expect(await read(`<head>${end}<title>Body</title><meta name="description" content="Body">`)).toEqual(
      NOTHING,
    )
  expect(await read('<!-- </head> --><script></head></script><title>Head</title>')).toMatchObject({
    title: 'Head',
  })
})

test('a quoted attribute may hold what looks like the end of a tag', async () => {
  const html = `<meta data-a='"> </head>' data-b=">" name="description" content='a > "b"' content="c"><title>Title</title>`
  expect(await read(html)).toEqual({ ...NOTHING, title: 'Title', description: 'a > "b"' })
})

const HOSTILE_UNITS = [
  '<p a="b">',
  '<div>',
  '</b>',
  '<svg>',
  '<svg/>',
  '<title>',
  '<title>a</title>',
  '<meta property="og:x" content="y">',
  '</a>',
  '<a ',
  '<a b="',
  "<a b='x' \"",
  '<meta ',
  'a=',
  '=',
  '/',
  '<',
  '< ',
  '<!',
  '<!--',
  '<!-- -->',
  '-->',
  '<?',
  '<script>',
  '</script',
  '<textarea>',
  '<link rel="icon" href="x.ico">',
  '&',
  '&amp;',
  '&#x41;',
  ' ',
  '\r\n',
  '\0',
  '"',
  "'",
  '\ud83d',
]

test('whatever follows, a page gives what was found until then', async () => {
  for (const start of ['', '<meta ', '<script>', '<!--', '<title>'])
    for (const unit of HOSTILE_UNITS) {
      const html = `<title>First</title>${start}${unit.repeat(1_000_000 / unit.length)}`
      expect([start, unit, await read(html)]).toEqual([start, unit, { ...NOTHING, title: 'First' }])
    }
})

test('a title behind too many tags or attributes is not read', async () => {
  const title = '<title>Late</title>'
  expect(await read('<meta>'.repeat(2_000) + title)).toMatchObject({ title: 'Late' })
  for (const before of ['<meta>'.repeat(5_000), '</b>'.repeat(5_000), `<meta ${'a '.repeat(5_000)}>`])
    expect(await read(before + title)).toEqual(NOTHING)
})

const read = (html: string | Uint8Array, contentType = 'text/html') =>
  readPage({ bytes: typeof html === 'string' ? new TextEncoder().encode(html) : html, contentType, url: URL })
