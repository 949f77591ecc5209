import { decodeQR } from 'qr/decode.js'
import { scannedUrl, type LaidOut } from './draw-design.ts'
import type { Pixels } from '../links/qr-style/qr-logo.ts'
import { qrPixels } from './qr-raster.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'

export type QrVerdict = {
  /** Whether the drawn code was read back. */
  is_read: boolean
  /** Of the paler of modules and corners against the background. */
  contrast: number
  is_light_on_dark: boolean
  /** With the quiet zone. */
  smallest_print_mm: number
  /** Both colors with the same hue and enough contrast; null if the background is too dark for that. */
  darkened: { color: string; corner_color: string } | null
}

/** Cameras of phones read modules of this size in print from a hand's distance. */
const MODULE_MM = 0.4
const CONTRAST_WANTED = 4.5
/** For the decoder. A camera's picture has about as many. */
const MODULE_PIXELS = 8
/** A code that can be read is read in a few milliseconds. */
const DECODING_MS_MAX = 250
/** A code without a background is on paper. */
const PAPER = '#ffffff'

/** Draws the code, reads it back and measures its colors. */
export async function judgeQr(shortUrl: string, laidOut: LaidOut): Promise<QrVerdict> {
  const { design, drawing } = laidOut
  const onPaper = { ...design, background: design.background ?? PAPER }
  const pixels = await qrPixels({ ...laidOut, design: onPaper, size: drawing.side * MODULE_PIXELS })
  const colors = [design.color, design.corner_color]
  return {
    is_read: textIn(pixels) === scannedUrl(shortUrl, design),
    contrast: Math.min(...colors.map((color) => contrast(color, onPaper.background))),
    is_light_on_dark: colors.some((color) => luminance(color) > luminance(onPaper.background)),
    smallest_print_mm: Math.ceil(drawing.side * MODULE_MM),
    darkened: darkened(onPaper),
  }
}

function textIn({ width, height, rgba }: Pixels): string | undefined {
  try {
    return decodeQR({ width, height, data: rgba }, { format: 'RGBA', timeLimit: DECODING_MS_MAX })
  } catch {
    return undefined
  }
}

function darkened({
  color,
  corner_color,
  background,
}: QrDesign & { background: string }): QrVerdict['darkened'] {
  const dark = darken(color, background)
  const darkCorner = darken(corner_color, background)
  return dark === undefined || darkCorner === undefined ? null : { color: dark, corner_color: darkCorner }
}

/** The lightest of 256 shades of a color that has enough contrast. Scaling all channels alike keeps the hue. */
function darken(color: string, background: string): string | undefined {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  for (let shade = 256; shade >= 0; shade -= 1) {
    const scaled = channels.map((channel) => Math.floor((channel * shade) / 256))
    const shaded = `#${Buffer.from(scaled).toString('hex')}`
    const isDarker = luminance(shaded) < luminance(background)
    if (isDarker && contrast(shaded, background) >= CONTRAST_WANTED) return shaded
  }
  return undefined
}

/** WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
