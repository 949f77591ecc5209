import { inflateSync } from 'node:zlib'
import type { Pixels } from '../../src/links/qr-style/qr-logo.ts'

/** A PNG as styled QR codes are written: RGBA of 8 bits, and rows with one of two filters. */
export function readRgbaPng(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (png.subarray(24, 29).toString('hex') !== '0806000000' || png.toString('latin1', 37, 41) !== 'IDAT')
    throw new Error('A PNG of another kind.')
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const [rowBytes, rgba] = [width * 4, new Uint8Array(width * height * 4)]
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)]!
    if (filter !== 0 && filter !== 2) throw new Error(`row ${y} has the filter ${filter}`)
    for (let x = 0; x < rowBytes; x += 1) {
      const up = filter === 2 ? rgba[(y - 1) * rowBytes + x]! : 0
      rgba[y * rowBytes + x] = rows[y * (rowBytes + 1) + 1 + x]! + up
    }
  }
  return { width, height, rgba }
}
