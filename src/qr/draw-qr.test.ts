import { describe, expect, test } from 'bun:test'
import { crc32, inflateSync } from 'node:zlib'
import { decodeQR } from 'qr/decode.js'
import { Refusal } from '../errors/refusal.ts'
import { qrPng, qrSvg } from './draw-qr.ts'
import type { QrStyle } from './draw-qr.ts'

const ADDRESS = 'https://tern.example/aB3xY7z'
const plain: QrStyle = { size: 256, margin: 4, level: 'M', color: '#000000', background: '#ffffff' }

describe('a PNG can be read back', () => {
  test.each(styles)('%s', (_, change) => {
    const style = { ...plain, ...change }
    const picture = readPng(qrPng(ADDRESS, style))
    expect([picture.width, picture.height]).toEqual([style.size, style.size])
    expect(scanned(picture)).toBe(ADDRESS)
  })

  test('without a margin, once the paper around it gives one', () => {
    const picture = readPng(qrPng(ADDRESS, { ...plain, margin: 0 }))
    expect(scanned(onPaper(picture, 40))).toBe(ADDRESS)
  })
})

describe('a PNG', () => {
  test('has the two colors asked for and no other', () => {
    const picture = readPng(qrPng(ADDRESS, { ...plain, color: '#123456', background: '#fedcba' }))
    expect(colorsOf(picture)).toEqual(new Set(['123456', 'fedcba']))
  })

  test('stands in the middle, with the margin and what is left over in background', () => {
    // 25 modules and a margin of 4 on each side are 33; 256 / 33 gives 7 pixels a module and 25 pixels to share.
    const { left, right, top, bottom } = inkOf(readPng(qrPng(ADDRESS, { ...plain, level: 'L' })))
    expect([left, top]).toEqual([40, 40])
    expect([right - left, bottom - top]).toEqual([25 * 7, 25 * 7])
  })

  test('gives up margin where margin and modules do not fit together', () => {
    const long = `https://tern.example/${'x'.repeat(40)}`
    const { left, right } = inkOf(readPng(qrPng(long, { ...plain, size: 64, margin: 16 })))
    expect([left, right]).toEqual([15, 15 + 33])
  })

  test('of fewer pixels than modules is refused with the size that would do', () => {
    const long = `https://tern.example/${'x'.repeat(200)}`
    const style: QrStyle = { ...plain, size: 64, level: 'H' }
    const refusal = refusalOf(() => qrPng(long, style))
    expect(refusal.kind).toBe('invalid')
    expect(refusal.fields).toEqual({ size: ['The size must be at least 81 for this address and level.'] })
    expect(readPng(qrPng(long, { ...style, size: 81 })).width).toBe(81)
  })
})

describe('an SVG', () => {
  test.each(styles)('%s has the size, the box and the modules of its style', (_, change) => {
    const style = { ...plain, ...change }
    const svg = readSvg(qrSvg(ADDRESS, style))
    expect(svg.attributes).toEqual({
      xmlns: 'http://www.w3.org/2000/svg',
      width: String(style.size),
      height: String(style.size),
      viewBox: `0 0 ${svg.side} ${svg.side}`,
      'shape-rendering': 'crispEdges',
    })
    expect([svg.background, svg.color]).toEqual([style.background, style.color])
    expect(scanned(onPaper(svg.picture, 8))).toBe(ADDRESS)
  })

  test('keeps the margin to the letter', () => {
    const { picture, side } = readSvg(qrSvg(ADDRESS, { ...plain, level: 'L', margin: 7 }))
    expect(side).toBe(25 + 14)
    expect(inkOf(picture)).toEqual({ left: 28, top: 28, right: 28 + 100, bottom: 28 + 100 })
  })

  test('never holds the text it encodes', () => {
    const svg = qrSvg('"/><script>alert(1)</script>', plain)
    expect(svg).toMatch(WHOLE_SVG)
    expect(svg).not.toContain('script')
  })

  test.each([['"/><script>'], ['url(//evil)'], ['#12"onload='], ['']])(
    'holds six digits for the color %p',
    (color) => {
      expect(qrSvg(ADDRESS, { ...plain, color, background: color })).toMatch(WHOLE_SVG)
    },
  )
})

// Every character that the writer can make: what matches is well-formed and holds nothing else.
const WHOLE_SVG =
  /^<svg xmlns="([^"]+)" width="(\d+)" height="(\d+)" viewBox="(0 0 (\d+) \d+)" shape-rendering="(crispEdges)"><rect width="\5" height="\5" fill="(#[0-9a-f]{6})"\/><path fill="(#[0-9a-f]{6})" d="((?:M\d+ \d+h\d+v1h-\d+z)+)"\/><\/svg>\n$/

type Picture = { width: number; height: number; data: Uint8Array }

function refusalOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

function readSvg(svg: string) {
  const [, xmlns, width, height, viewBox, sideText, rendering, background, color, path = ''] =
    WHOLE_SVG.exec(svg) ?? []
  const side = Number(sideText)
  const scale = 4
  const picture = blank(side * scale)
  for (const [, x, y, run, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(run).toBe(back)
    for (let pixel = 0; pixel < Number(run) * scale * scale; pixel += 1) {
      const column = Number(x) * scale + Math.floor(pixel / scale)
      const row = Number(y) * scale + (pixel % scale)
      picture.data.fill(0, (row * picture.width + column) * 3, (row * picture.width + column) * 3 + 3)
    }
  }
  const attributes = { xmlns, width, height, viewBox, 'shape-rendering': rendering }
  return { attributes, side, background, color, picture }
}

/** Strict about everything our writer may choose: chunk order and sums, depth, palette, no filter. */
function readPng(png: Buffer): Picture {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const typeAndBody = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typeAndBody))
    chunks.set(typeAndBody.toString('latin1', 0, 4), typeAndBody.subarray(4))
    at += 12 + length
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const header = chunks.get('IHDR')!
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  expect([...header.subarray(8)]).toEqual([1, 3, 0, 0, 0])
  const palette = chunks.get('PLTE')!
  const rows = inflateSync(chunks.get('IDAT')!)
  const rowBytes = 1 + Math.ceil(width / 8)
  expect(rows.length).toBe(rowBytes * height)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    if (rows[y * rowBytes] !== 0) throw new Error(`row ${y} is filtered`)
    for (let x = 0; x < width; x += 1) {
      const bit = (rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1
      data.set(palette.subarray(bit * 3, bit * 3 + 3), (y * width + x) * 3)
    }
  }
  return { width, height, data }
}

function blank(side: number): Picture {
  return { width: side, height: side, data: new Uint8Array(side * side * 3).fill(255) }
}

function onPaper(picture: Picture, margin: number): Picture {
  const paper = blank(picture.width + 2 * margin)
  for (let y = 0; y < picture.height; y += 1) {
    const row = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3)
    paper.data.set(row, ((y + margin) * paper.width + margin) * 3)
  }
  return paper
}

// The decoder gives up after a frame's time by default; here only the picture decides.
function scanned(picture: Picture): string {
  return decodeQR(picture, { format: 'RGB', timeLimit: 60_000 })
}

function colorsOf({ data }: Picture): Set<string> {
  const colors = new Set<string>()
  for (let at = 0; at < data.length; at += 3)
    colors.add(Buffer.from(data.subarray(at, at + 3)).toString('hex'))
  return colors
}

/** The box around everything dark; right and bottom are the first pixel after it. */
function inkOf({ width, data }: Picture) {
  const ink = { left: Infinity, top: Infinity, right: 0, bottom: 0 }
  for (let pixel = 0; pixel < data.length / 3; pixel += 1) {
    if (data[pixel * 3]! > 127) continue
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    ink.left = Math.min(ink.left, x)
    ink.top = Math.min(ink.top, y)
    ink.right = Math.max(ink.right, x + 1)
    ink.bottom = Math.max(ink.bottom, y + 1)
  }
  return ink
}

const styles: [string, Partial<QrStyle>][] = [
  ['plain', {}],
  ['the smallest', { size: 64 }],
  ['the largest', { size: 2048 }],
  ['of odd size', { size: 333 }],
  ['of level L', { level: 'L' }],
  ['of level Q', { level: 'Q' }],
  ['of level H', { level: 'H' }],
  ['with a margin of one module', { margin: 1 }],
  ['with the widest margin', { margin: 16 }],
  ['blue on cream', { color: '#102a6b', background: '#fff8e7' }],
  ['dark red on light gray', { size: 500, color: '#7a0000', background: '#dddddd', level: 'Q' }],
]
