import { describe, expect, test } from 'bun:test'
import { crc32, deflateSync } from 'node:zlib'
import { fieldErrorsOf } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { pngFile } from '../../qr/png-file.ts'
import { readLogo } from './qr-logo.ts'
import { qrStyle } from './qr-style.ts'

const uriOf = (bytes: Uint8Array): string => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
const PNG = pngFile({ side: 8, bitDepth: 8, colorType: 6 }, new Uint8Array(8 * 33).fill(0))
const NOT_A_LOGO = 'The logo must be a PNG as a URL that begins with data:image/png;base64,.'

function errorsOf(style: unknown) {
  const { error } = qrStyle.safeParse(style)
  return error && fieldErrorsOf(error.issues)
}

test('a style without fields is the standard one', () => {
  expect(qrStyle.parse({})).toEqual({
    modules: 'square',
    corners: 'square',
    color: '#000000',
    corner_color: '#000000',
    background: '#ffffff',
    logo: null,
    logo_size: 26,
    logo_is_clear: true,
    text: '',
    quiet_zone: 4,
    counts_scans: true,
  })
})

test('colors are stored in lower case', () => {
  expect(qrStyle.parse({ color: '#ABCDEF' }).color).toBe('#abcdef')
})

test.each([
  [{ modules: 'stars' }, { modules: ['The modules must be one of square, rounded, dots.'] }],
  [{ corners: 3 }, { corners: ['The corners must be one of square, rounded, round.'] }],
  [{ color: 'red' }, { color: ['The color must be a color such as #1a73e8.'] }],
  [{ color: '#12345' }, { color: ['The color must be a color such as #1a73e8.'] }],
  [{ corner_color: null }, { corner_color: ['The corner color must be a string.'] }],
  [{ background: 'url(#x)' }, { background: ['The background must be a color such as #1a73e8.'] }],
  [{ logo_size: 31 }, { logo_size: ['The logo size must be an integer between 10 and 30.'] }],
  [{ logo_size: 26.5 }, { logo_size: ['The logo size must be an integer between 10 and 30.'] }],
  [{ quiet_zone: -1 }, { quiet_zone: ['The quiet zone must be an integer between 0 and 16.'] }],
  [{ text: 'x'.repeat(61) }, { text: ['The text may not be greater than 60 characters.'] }],
  [{ text: 'a\u0000' }, { text: ['The text may not contain control characters.'] }],
  [{ text: '\ud800' }, { text: ['The text must be well-formed Unicode.'] }],
  [{ text: '\uffff' }, { text: ['The text may not contain characters that XML does not allow.'] }],
  [{ onload: 'alert(1)' }, { onload: ['The onload field is unknown.'] }],
])('%j is refused', (style, errors) => {
  expect(errorsOf(style)).toEqual(errors)
})

describe('a logo', () => {
  test('is taken as PNG, and encoded again', async () => {
    const { logo } = qrStyle.parse({ logo: uriOf(PNG) })
    const { png, ratio } = await readLogo(logo!)
    expect(ratio).toBe(1)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
  })

  test('is kept no larger than codes need it', async () => {
    const wide = await new Bun.Image(PNG).resize(1024, 512).png().dataurl()
    const { png, ratio } = await readLogo(qrStyle.parse({ logo: wide }).logo!)
    expect([png.readUInt32BE(16), png.readUInt32BE(20), ratio]).toEqual([512, 256, 2])
  })

  test.each([
    [
      'an SVG with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    [
      'entities',
      Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>'),
    ],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff')],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...new Uint8Array(40)])],
    ['the first bytes of a PNG', PNG.subarray(0, 20)],
    ['a PNG without a header', Buffer.concat([PNG.subarray(0, 8), PNG.subarray(33)])],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is refused', (_, bytes) => {
    expect(errorsOf({ logo: uriOf(bytes) })).toEqual({ logo: [NOT_A_LOGO] })
  })

  test.each([
    'https://example.com/logo.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;base64,%%%%',
    'javascript:alert(1)',
  ])('%s is refused', (logo) => {
    expect(errorsOf({ logo })).toEqual({ logo: [NOT_A_LOGO] })
  })

  test('that is too large as a file is refused before it is read', () => {
    const logo = uriOf(Buffer.concat([PNG, Buffer.alloc(128 * 1024)]))
    expect(errorsOf({ logo })).toEqual({ logo: ['The logo may not be greater than 128 KiB.'] })
  })

  test.each([
    [1025, 1],
    [1, 100_000],
    [0x7fffffff, 0x7fffffff],
    [0, 8],
  ])('that says it has %d by %d pixels is refused before it is decoded', (width, height) => {
    expect(errorsOf({ logo: uriOf(pngThatSays(width, height)) })).toEqual({
      logo: ['The logo must have 1 to 1024 pixels a side.'],
    })
  })

  test.each([
    ['whose pixels are missing', pngThatSays(1024, 1024)],
    ['that is cut off', PNG.subarray(0, 50)],
  ])('%s is refused', async (_, bytes) => {
    const { logo } = qrStyle.parse({ logo: uriOf(bytes) })
    const refusal = await readLogo(logo!).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect((refusal as Refusal).fields).toEqual({ logo: ['The logo cannot be read. Save it as PNG again.'] })
  })
})

test('a logo that would inflate to far more than its pixels is read no further than those', async () => {
  const { png } = await readLogo(qrStyle.parse({ logo: uriOf(inflating(64 * 1024 * 1024)) }).logo!)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([8, 8])
})

function chunk(type: string, body: Uint8Array): Buffer {
  const typeAndBody = Buffer.concat([Buffer.from(type), body])
  const framed = Buffer.alloc(body.length + 12)
  framed.writeUInt32BE(body.length)
  typeAndBody.copy(framed, 4)
  framed.writeUInt32BE(crc32(typeAndBody), framed.length - 4)
  return framed
}

/** A true header, and hardly any pixels. */
function pngThatSays(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const pixels = chunk('IDAT', deflateSync(new Uint8Array(5)))
  return Buffer.concat([PNG.subarray(0, 8), chunk('IHDR', header), pixels, chunk('IEND', new Uint8Array())])
}

function inflating(bytes: number): Buffer {
  const pixels = chunk('IDAT', deflateSync(new Uint8Array(bytes)))
  return Buffer.concat([PNG.subarray(0, 33), pixels, chunk('IEND', new Uint8Array())])
}
