import { invalid } from '../errors/refusal.ts'
import { pngFile } from './png-file.ts'
import { designSvg } from './qr-design-svg.ts'
import { readLogo } from '../links/qr-style/qr-logo.ts'
import { qrPixels } from './qr-raster.ts'
import { qrShapes } from './qr-shapes.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'

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
