import { describe, expect, test } from 'bun:test'
import type { z } from 'zod'
import { decodeQR } from 'qr/decode.js'
import { readRgbaPng } from '../../test/rigs/read-rgba-png.ts'
import { drawPng, drawSvg, layOut } from './draw-design.ts'
import { pngFile } from './png-file.ts'
import type { Pixels } from '../links/qr-style/qr-logo.ts'
import { qrStyle } from '../links/qr-style/qr-style.ts'
import { Refusal } from '../errors/refusal.ts'

/** A logo of one color, with a margin that is half transparent. */
const LOGO = `data:image/png;base64,${flatPng(48, [200, 40, 20]).toString('base64')}`

describe('every style that is offered can be read back', () => {
  const shapes = (['square', 'rounded', 'dots'] as const).flatMap((modules) =>
    (['square', 'rounded', 'round'] as const).map((corners) => [modules, corners] as const),
  )
  describe.each(shapes)('%s modules, %s corners', (modules, corners) => {
    test.each([
      ['without a logo', {}],
      ['with the largest logo', { logo: LOGO, logo_size: 30 }],
      ['with a logo and no space around it', { logo: LOGO, logo_is_clear: false }],
    ])('%s', async (_, logo) => {
      for (const [index, size] of [128, 333, 512].entries()) {
        const style = { modules, corners, ...colors[index]!, ...logo }
        const picture = await draw(style, size, index === 1 ? URL_LONG : URL_SHORT)
        expect([picture.width, picture.height]).toEqual([size, size])
        expect(scanned(onWhite(picture))).toBe(`${index === 1 ? URL_LONG : URL_SHORT}?qr`)
      }
    })
  })

  const colors = [
    { color: '#000000', corner_color: '#000000', background: '#ffffff' },
    { color: '#0f3d56', corner_color: '#b4442c', background: '#fdf1ea' },
    { color: '#1a6b48', corner_color: '#5b3d96', background: null },
  ]
})

describe('a drawn code', () => {
  test('holds the plain short URL if scans are not counted apart', async () => {
    expect(scanned(await draw({ counts_scans: false }))).toBe(URL_SHORT)
  })

  test('has the colors of its parts', async () => {
    const picture = await draw(
      { color: '#112233', corner_color: '#445566', background: '#ffeedd' },
      29 * 10 + 80,
    )
    // 29 modules and a quiet zone of 4 on each side, 10 pixels each.
    expect(colorAt(picture, [0, 0])).toEqual([0xff, 0xee, 0xdd, 255])
    expect(colorAt(picture, [45, 45])).toEqual([0x44, 0x55, 0x66, 255])
    expect(colorAt(picture, [55, 55])).toEqual([0xff, 0xee, 0xdd, 255])
    expect(colorAt(picture, [75, 75])).toEqual([0x44, 0x55, 0x66, 255])
    // The timing pattern begins and ends dark.
    expect(colorAt(picture, [125, 105])).toEqual([0x11, 0x22, 0x33, 255])
  })

  test('without a background is transparent between the modules, in the holes of its corners too', async () => {
    const picture = await draw({ background: null }, 370)
    for (const place of [
      [0, 0],
      [55, 55],
    ] as [number, number][])
      expect(colorAt(picture, place)[3]).toBe(0)
    expect(colorAt(picture, [45, 45])).toEqual([0, 0, 0, 255])
  })

  test('has the logo in the middle, over its background, in the size that was asked for', async () => {
    const style = {
      logo: LOGO,
      logo_size: 30,
      background: '#0000ff',
      color: '#000011',
      corner_color: '#000011',
    }
    const picture = await draw(style, 410)
    expect(colorAt(picture, [205, 205])).toEqual([200, 40, 20, 255])
    // High error correction needs 33 modules; 30 percent of them are 99 pixels.
    expect(colorAt(picture, [205 - 46, 205])).toEqual([200, 40, 20, 255])
    expect(colorAt(picture, [205 - 53, 205])).toEqual([0, 0, 255, 255])
  })

  test('keeps the quiet zone to the letter', async () => {
    for (const quiet of [0, 4, 16]) {
      const svg = await svgOf({ quiet_zone: quiet })
      expect(svg).toContain(`viewBox="0 0 ${29 + 2 * quiet} ${29 + 2 * quiet}"`)
      expect(svg).toContain(`M${quiet} ${quiet}h7`)
    }
  })

  test('of fewer pixels than modules is refused with the size that would do', async () => {
    const refusal = await refusalFrom(draw({ quiet_zone: 16 }, 60))
    expect(refusal.fields).toEqual({ size: ['The size must be at least 61 for this URL and style.'] })
  })
})

describe('an SVG', () => {
  test('shows the text below as text', async () => {
    const svg = await svgOf({ text: '"/></text><script>alert(1)</script>&' })
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&quot;/&gt;&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</text></svg>')
  })

  test('holds a logo that Tern wrote, with nothing else that was in the file', async () => {
    const file = flatPng(16, [1, 2, 3])
    const spiked = Buffer.concat([file, Buffer.from('<script>alert(1)</script>')])
    const svg = await svgOf({ logo: `data:image/png;base64,${spiked.toString('base64')}` })
    const images = [...svg.matchAll(/<image [^>]*href="([^"]*)"\/>/g)]
    expect(images).toHaveLength(1)
    const png = Buffer.from(images[0]![1]!.replace('data:image/png;base64,', ''), 'base64')
    expect(png.toString('latin1')).not.toContain('script')
    expect(await new Bun.Image(png).metadata()).toMatchObject({ format: 'png', width: 16, height: 16 })
    expect(svg.match(/<\w+/g)).toEqual(['<svg', '<rect', '<path', '<path', '<image'])
  })

  test('keeps the shape of a logo that is not square', async () => {
    const wide = await new Bun.Image(flatPng(64, [9, 9, 9])).resize(64, 16).png().dataurl()
    const [, width = '', height = ''] = /<image [^>]*width="([^"]+)" height="([^"]+)"/.exec(
      await svgOf({ logo: wide }),
    )!
    expect(Number(width)).toBeCloseTo(33 * 0.26, 2)
    expect(Number(height)).toBeCloseTo((33 * 0.26) / 4, 2)
  })
})

const URL_SHORT = 'https://nls.example/winter'
const URL_LONG = `https://links.northlight.example/${'c'.repeat(64)}`

function onWhite({ width, height, rgba }: Pixels): Pixels {
  const paper = rgba.map((value, at) => {
    const alpha = rgba[at - (at % 4) + 3]! / 255
    return at % 4 === 3 ? 255 : Math.round(value * alpha + 255 * (1 - alpha))
  })
  return { width, height, rgba: paper }
}

async function refusalFrom(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (error instanceof Refusal) return error
  throw new Error('nothing was refused')
}

function flatPng(side: number, color: number[]): Buffer {
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => [...color, x * y === 0 ? 128 : 255]).flat(),
  ])
  return pngFile({ side, bitDepth: 8, colorType: 6 }, Uint8Array.from(rows.flat()))
}

const draw = async (style: z.input<typeof qrStyle>, size = 400, url = URL_SHORT): Promise<Pixels> =>
  readRgbaPng(await drawPng(await layOut(url, qrStyle.parse(style)), size))

const svgOf = async (style: z.input<typeof qrStyle>) =>
  drawSvg(await layOut(URL_SHORT, qrStyle.parse(style)), 512)

// The decoder gives up after a frame's time by default; here only the picture decides.
const scanned = ({ width, height, rgba }: Pixels): string =>
  decodeQR({ width, height, data: rgba }, { format: 'RGBA', timeLimit: 60_000 })

const colorAt = ({ width, rgba }: Pixels, [x, y]: [number, number]): number[] => [
  ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
]
