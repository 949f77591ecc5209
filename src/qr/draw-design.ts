import { invalid } from '../errors/refusal.ts'
import { pngFile } from './png-file.ts'
import { type Logo, readLogo } from '../links/qr-style/qr-logo.ts'
import { qrPixels } from './qr-raster.ts'
import { type Box, type Drawing, qrShapes, type Shape } from './qr-shapes.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'
import { html, type Html } from '../html/html.ts'

/** In modules. */
const TEXT_BAND = 4
const FONT_SIZE_MAX = 2.4
/** Of a bold letter by the font's size, with some to spare: which font draws it is not known. */
const LETTER_WIDTH = 0.62
const FONTS = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif'

// Under its own name the formatter would add spaces, which count in a text.
const svg = html

type Parts = { drawing: Drawing; design: QrDesign; logo: Logo | undefined; size: number }

/** `size` is the width in pixels. Nothing in it is markup of the user: the logo is an image, the text is escaped. */
function designSvg({ drawing, design, logo, size }: Parts): string {
  const { side } = drawing
  const height = side + (design.text === '' ? 0 : TEXT_BAND)
  const parts = [
    design.background && svg`<rect width="${side}" height="${height}" fill="${design.background}"/>`,
    svg`<path fill="${design.color}" d="${pathOf(drawing.modules)}"/>`,
    svg`<path fill="${design.corner_color}" fill-rule="evenodd" d="${pathOf(drawing.corners)}"/>`,
    drawing.logo && logo && imageOf(drawing.logo, logo),
    design.text !== '' && textOf(design, side),
  ]
  const pixels = short((size * height) / side)
  return svg`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${pixels}" viewBox="0 0 ${side} ${height}">${parts}</svg>\n`
    .markup
}

function imageOf({ x, y, width, height }: Box, { png }: Logo): Html {
  const place = svg`x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`
  return svg`<image ${place} href="data:image/png;base64,${png.toString('base64')}"/>`
}

function textOf({ text, color, quiet_zone: quiet }: QrDesign, side: number): Html {
  const fontSize = Math.min(FONT_SIZE_MAX, (side - 2) / (LETTER_WIDTH * [...text].length))
  // In the middle between the code and the edge.
  const y = side + (TEXT_BAND - quiet) / 2 + fontSize * 0.35
  const font = svg`font-family="${FONTS}" font-size="${short(fontSize)}" font-weight="600"`
  return svg`<text x="${side / 2}" y="${short(y)}" ${font} text-anchor="middle" fill="${color}">${text}</text>`
}

const pathOf = (shapes: Shape[]): string => shapes.map(outline).join('')

function outline({ x, y, width, height, radii: [a, b, c, d] }: Shape): string {
  const line = (direction: string, length: number) => (short(length) === '0' ? '' : direction + short(length))
  const arc = (radius: number, right: number, down: number) =>
    radius === 0 ? '' : `a${radius} ${radius} 0 0 1 ${short(right * radius)} ${short(down * radius)}`
  return (
    `M${short(x + a)} ${short(y)}${line('h', width - a - b)}${arc(b, 1, 1)}${line('v', height - b - c)}${arc(c, -1, 1)}` +
    `${line('h', c + d - width)}${arc(d, -1, -1)}${line('v', d + a - height)}${arc(a, 1, -1)}z`
  )
}

/** Never `-0`. */
const short = (number: number): string => String(Math.round(number * 1000) / 1000 + 0)

/** What the code holds. The mark lets scans be counted apart; redirects never pass it on. */
export const scannedUrl = (shortUrl: string, { counts_scans: counts }: QrDesign): string =>
  counts ? `${shortUrl}?qr` : shortUrl

/** A code ready to be drawn. Its logo is decoded once, whatever is made of it. */
export async function layOut(shortUrl: string, design: QrDesign) {
  const logo = design.logo === null ? undefined : await readLogo(design.logo)
  return { design, logo, drawing: qrShapes(scannedUrl(shortUrl, design), design, logo) }
}

export type LaidOut = Awaited<ReturnType<typeof layOut>>

export const drawSvg = (laidOut: LaidOut, size: number): string => designSvg({ ...laidOut, size })

/** Without the text below: the server has no fonts. */
export async function drawPng(laidOut: LaidOut, size: number): Promise<Buffer> {
  const { side } = laidOut.drawing
  if (side > size) throw invalid({ size: [`The size must be at least ${side} for this URL and style.`] })
  const { rgba } = await qrPixels({ ...laidOut, size })
  return pngFile({ side: size, bitDepth: 8, colorType: 6 }, filtered(rgba, size))
}

/** The rows that repeat the one before become zeros, which deflate fast (filter 2, "up"). */
function filtered(rgba: Uint8Array, size: number): Uint8Array {
  const rowBytes = size * 4
  const rows = new Uint8Array(size * (rowBytes + 1))
  let before: Uint8Array = Buffer.alloc(0)
  for (let y = 0; y < size; y += 1) {
    const row = Buffer.from(rgba.buffer, y * rowBytes, rowBytes)
    if (row.equals(before)) rows[y * (rowBytes + 1)] = 2
    else rows.set(row, y * (rowBytes + 1) + 1)
    before = row
  }
  return rows
}
