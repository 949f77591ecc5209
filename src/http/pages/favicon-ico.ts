import { crc32, deflateSync } from 'node:zlib'

type Point = { x: number; y: number }
type Shape = { red: number; green: number; blue: number; outline: Point[] }

/** Side of the drawing's view box. */
const DRAWING_SIZE = 32
const SIZES = [16, 32]
const CURVE_STEPS = 8
// Samples along each side of a pixel: enough for soft edges at 16 pixels.
const SAMPLES = 4

/**
 * An .ico with PNG images, for the browsers that ask for nothing else. It is drawn from the SVG icon, of which it reads
 * flat `<path fill="#rrggbb" d="…">` with absolute M, L, C and Z, so there is one drawing to keep.
 */
export function icoFromSvg(svg: string): Uint8Array {
  const shapes = readShapes(svg)
  const images = SIZES.map((size) => encodePng(size, paint(shapes, size)))
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  for (const [position, image] of images.entries()) {
    const entry = 6 + 16 * position
    const size = SIZES[position] ?? 0
    head.writeUInt8(size, entry)
    head.writeUInt8(size, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(image.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += image.length
  }
  return Buffer.concat([head, ...images])
}

function readShapes(svg: string): Shape[] {
  return [...svg.matchAll(/<path\s+fill="#([0-9a-f]{6})"\s+d="([^"]+)"/g)].map(
    ([, colour = '', path = '']) => {
      const value = Number.parseInt(colour, 16)
      return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255, outline: readOutline(path) }
    },
  )
}

function readOutline(path: string): Point[] {
  const outline: Point[] = []
  for (const [, command, numbers = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const points = readPoints(numbers)
    if (command === 'M' || command === 'L') outline.push(...points)
    else if (command === 'C') outline.push(...curve([outline.at(-1), ...points]))
    else if (command !== 'Z') throw new Error(`The icon's paths may hold M, L, C and Z, not ${command}`)
  }
  return outline
}

function readPoints(text: string): Point[] {
  const numbers = (text.match(/-?[\d.]+/g) ?? []).map(Number)
  const points: Point[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2)
    points.push({ x: numbers[at] ?? 0, y: numbers[at + 1] ?? 0 })
  return points
}

/** A cubic curve as short straight lines, without its first point. */
function curve([from, first, second, to]: (Point | undefined)[]): Point[] {
  if (!from || !first || !second || !to) throw new Error('A curve of the icon lacks a point')
  return Array.from({ length: CURVE_STEPS }, (_, step) => {
    const t = (step + 1) / CURVE_STEPS
    const u = 1 - t
    const blend = (axis: 'x' | 'y') =>
      u ** 3 * from[axis] + 3 * u * u * t * first[axis] + 3 * u * t * t * second[axis] + t ** 3 * to[axis]
    return { x: blend('x'), y: blend('y') }
  })
}

/** Rows of RGBA. A sample takes the topmost shape over it, a pixel the mean of its samples. */
function paint(shapes: Shape[], size: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4)
  const step = DRAWING_SIZE / size / SAMPLES
  for (let pixel = 0; pixel < size * size; pixel++) {
    const left = (pixel % size) * SAMPLES
    const top = Math.floor(pixel / size) * SAMPLES
    const hits: Shape[] = []
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const x = (left + (sample % SAMPLES) + 0.5) * step
      const y = (top + Math.floor(sample / SAMPLES) + 0.5) * step
      const hit = shapes.findLast(({ outline }) => isInside(outline, { x, y }))
      if (hit) hits.push(hit)
    }
    if (hits.length === 0) continue
    const mean = (part: 'red' | 'green' | 'blue') =>
      Math.round(hits.reduce((sum, hit) => sum + hit[part], 0) / hits.length)
    const alpha = Math.round((255 * hits.length) / SAMPLES ** 2)
    pixels.set([mean('red'), mean('green'), mean('blue'), alpha], pixel * 4)
  }
  return pixels
}

/** Even-odd: a ray to the right crosses the outline an odd number of times. */
function isInside(outline: Point[], { x, y }: Point): boolean {
  let isIn = false
  let from = outline.at(-1)
  for (const to of outline) {
    if (from && from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x))
      isIn = !isIn
    from = to
  }
  return isIn
}

/** PNG (RFC 2083): eight bits a channel, with alpha, no filter. */
function encodePng(size: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const rows = Array.from({ length: size }, (_, row) => [
    Buffer.alloc(1),
    pixels.subarray(row * size * 4, (row + 1) * size * 4),
  ])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const frame = Buffer.alloc(named.length + 8)
  frame.writeUInt32BE(content.length, 0)
  frame.set(named, 4)
  frame.writeUInt32BE(crc32(named), named.length + 4)
  return frame
}
