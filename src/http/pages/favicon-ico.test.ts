import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { icoFromSvg } from './favicon-ico.ts'
import faviconSvg from './favicon.svg' with { type: 'text' }

const PNG_MAGIC = '89504e470d0a1a0a'
const ico = Buffer.from(icoFromSvg(faviconSvg))

function images(file: Buffer): { size: number; png: Buffer }[] {
  return Array.from({ length: file.readUInt16LE(4) }, (_, position) => {
    const entry = 6 + 16 * position
    const start = file.readUInt32LE(entry + 12)
    return { size: file.readUInt8(entry), png: file.subarray(start, start + file.readUInt32LE(entry + 8)) }
  })
}

/** The pixel of an image: the first chunk is IHDR (25 bytes after the signature's 8), the second IDAT. */
function pixel(png: Buffer, size: number, place: { x: number; y: number }): number[] {
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const start = place.y * (size * 4 + 1) + 1 + place.x * 4
  return [...rows.subarray(start, start + 4)]
}

test('the file is an icon with a PNG of 16 and one of 32 pixels', () => {
  expect(ico.subarray(0, 4).toString('hex')).toBe('00000100')
  const found = images(ico)
  expect(found.map(({ size }) => size)).toEqual([16, 32])
  for (const { size, png } of found) {
    expect(png.subarray(0, 8).toString('hex')).toBe(PNG_MAGIC)
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
    expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND')
  }
  const last = found[1]?.png
  expect(last && last.byteOffset + last.length).toBe(ico.byteOffset + ico.length)
})

test('the drawing is the bird: clear corners, black cap, coral beak, white breast', () => {
  const png = images(ico)[1]?.png ?? Buffer.alloc(0)
  expect(pixel(png, 32, { x: 0, y: 0 })[3]).toBe(0)
  expect(pixel(png, 32, { x: 13, y: 9 })).toEqual([0x14, 0x19, 0x1d, 255])
  expect(pixel(png, 32, { x: 25, y: 15 })).toEqual([0xff, 0x6f, 0x52, 255])
  expect(pixel(png, 32, { x: 14, y: 20 })).toEqual([0xf7, 0xf9, 0xfa, 255])
})

test('a drawing that holds more than it can read is refused', () => {
  expect(() => icoFromSvg('<path fill="#000000" d="M0 0A1 1 0 0 1 2 2Z"/>')).toThrow('M, L, C and Z')
})
