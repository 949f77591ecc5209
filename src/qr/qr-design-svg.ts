import { html, type Html } from '../html/html.ts'
import type { Logo } from '../links/qr-style/qr-logo.ts'
import type { Box, Drawing, Shape } from './qr-shapes.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'

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
export function designSvg({ drawing, design, logo, size }: Parts): string {
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
