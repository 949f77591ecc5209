import { inflateSync } from 'node:zlib'
import { blamedOn, invalid } from '../../errors/refusal.ts'
import { logoBytes } from './qr-style.ts'

/** `png` is written by us: none of the user's bytes. `ratio` is width by height. */
export type Logo = { png: Buffer; ratio: number }
export type Pixels = { width: number; height: number; rgba: Uint8Array }

/** Of the largest logo that a style may have, and of the largest picture that it is drawn into. */
const PIXELS_MAX = 1024 * 1024
const SIDE_STORED_MAX = 512

/** Decodes and encodes it again, off the thread. What cannot be decoded is refused. */
export async function readLogo(uri: string, field = 'logo'): Promise<Logo> {
  const image = new Bun.Image(logoBytes(uri), { maxPixels: PIXELS_MAX })
  try {
    const png = await image
      .resize(SIDE_STORED_MAX, SIDE_STORED_MAX, { fit: 'inside', withoutEnlargement: true })
      .png()
      .buffer()
    return { png, ratio: png.readUInt32BE(16) / png.readUInt32BE(20) }
  } catch {
    throw invalid({ [field]: ['The logo cannot be read. Save it as PNG again.'] })
  }
}

type Styled = { qr_style?: { logo?: string | null | undefined } | null | undefined }

/** Only what can be drawn is stored. */
export async function refuseBadLogos(links: readonly Styled[]): Promise<void> {
  for (const [index, { qr_style: style }] of links.entries())
    if (style?.logo) await readLogo(style.logo, 'qr_style.logo').catch(blamedOn(index))
}

/** The logo at a size in pixels. */
export async function logoPixels({ png }: Logo, width: number, height: number): Promise<Pixels> {
  const scaled = await new Bun.Image(png, { maxPixels: PIXELS_MAX })
    .resize(width, height)
    .png({ compressionLevel: 1 })
    .buffer()
  return { width, height, rgba: unfiltered(scaled, width, height) }
}

/** Of a PNG that Bun wrote: 8 bits for each of red, green, blue and alpha, not interlaced. */
function unfiltered(png: Buffer, width: number, height: number): Uint8Array {
  if (png[24] !== 8 || png[25] !== 6 || png[28] !== 0) throw new Error('a PNG of another kind')
  const rows = inflateSync(dataOf(png), { maxOutputLength: height * (1 + width * 4) })
  const rowBytes = width * 4
  const rgba = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)]!
    for (let x = 0; x < rowBytes; x += 1) {
      const leftByte = x < 4 ? 0 : rgba[y * rowBytes + x - 4]!
      const up = y === 0 ? 0 : rgba[(y - 1) * rowBytes + x]!
      const corner = x < 4 || y === 0 ? 0 : rgba[(y - 1) * rowBytes + x - 4]!
      const guess = [0, leftByte, up, (leftByte + up) >> 1, paeth(leftByte, up, corner)][filter]!
      rgba[y * rowBytes + x] = rows[y * (rowBytes + 1) + 1 + x]! + guess
    }
  }
  return rgba
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const toLeft = Math.abs(guess - left)
  const toUp = Math.abs(guess - up)
  const toCorner = Math.abs(guess - corner)
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(parts)
}
