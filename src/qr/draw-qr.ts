import { invalid } from '../errors/refusal.ts'
import { pngFile } from './png-file.ts'
import { type QrLevel, qrMatrix } from './qr-matrix.ts'

/** `size` in pixels, `margin` in modules, colors as `#rrggbb`. */
export type QrStyle = { size: number; margin: number; level: QrLevel; color: string; background: string }

/** The dark modules are one path. The margin is always exact, because an SVG scales by any factor. */
export function qrSvg(text: string, style: QrStyle): string {
  const rows = qrMatrix(text, style.level)
  const side = rows.length + 2 * style.margin
  const path = rows.map((row, y) => pathOfRow(row, y + style.margin, style.margin)).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${style.size}" height="${style.size}"` +
    ` viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<rect width="${side}" height="${side}" fill="${hexColor(style.background)}"/>` +
    `<path fill="${hexColor(style.color)}" d="${path}"/></svg>\n`
  )
}

/**
 * Exactly `size` by `size` pixels, with the modules centered and scaled by a whole number. The margin shrinks if it does not fit.
 * If the modules themselves do not fit, the size is refused.
 */
export function qrPng(text: string, style: QrStyle): Buffer {
  const rows = qrMatrix(text, style.level)
  if (rows.length > style.size) {
    throw invalid({ size: [`The size must be at least ${rows.length} for this address and level.`] })
  }
  const scale = Math.max(1, Math.floor(style.size / (rows.length + 2 * style.margin)))
  return png(pixelRows(rows, scale, style.size), style)
}

function pathOfRow(row: boolean[], y: number, margin: number): string {
  let path = ''
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue
    const start = x
    while (row[x + 1]) x += 1
    const width = x - start + 1
    path += `M${start + margin} ${y}h${width}v1h-${width}z`
  }
  return path
}

/** The rows of pixels, one bit each, every row after a byte that says "not filtered". */
function pixelRows(rows: boolean[][], scale: number, size: number): Buffer {
  const rowBytes = 1 + Math.ceil(size / 8)
  const offset = Math.floor((size - rows.length * scale) / 2)
  const pixels = Buffer.alloc(rowBytes * size)
  rows.forEach((row, moduleY) => {
    const first = (offset + moduleY * scale) * rowBytes
    const line = pixels.subarray(first, first + rowBytes)
    for (let x = 0; x < row.length * scale; x += 1) {
      const bit = offset + x
      if (row[Math.floor(x / scale)]) line[1 + (bit >> 3)]! |= 0x80 >> (bit & 7)
    }
    for (let copy = 1; copy < scale; copy += 1) line.copy(pixels, first + copy * rowBytes)
  })
  return pixels
}

/** Color type 3: a palette of two colors, one bit per pixel, 1 is dark. */
function png(pixels: Buffer, style: QrStyle): Buffer {
  const palette = Buffer.from(hexColor(style.background).slice(1) + hexColor(style.color).slice(1), 'hex')
  return pngFile({ side: style.size, bitDepth: 1, colorType: 3, palette }, pixels)
}

// Converted to a number and back, so that only six hexadecimal digits can reach the markup.
function hexColor(color: string): string {
  const rgb = (parseInt(color.slice(1), 16) || 0) & 0xffffff
  return `#${rgb.toString(16).padStart(6, '0')}`
}
