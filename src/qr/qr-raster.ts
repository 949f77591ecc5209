import { logoPixels, type Logo, type Pixels } from '../links/qr-style/qr-logo.ts'
import type { Box, Drawing, Shape } from './qr-shapes.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'

type Parts = { drawing: Drawing; design: QrDesign; logo: Logo | undefined; size: number }

/** `scale`: pixels of a module. */
type Canvas = { size: number; scale: number; offset: number; rgba: Uint8Array; tiles: Map<string, Tile> }
type Color = readonly [red: number, green: number, blue: number]
type Tile = { width: number; height: number; coverage: Uint8Array }

/** How often each pixel is sampled across and down, to find out how much of it a shape covers. */
const SAMPLES = 4
/** Less than a sample is from the next, more than a sum of fractions is off. */
const NEAR = 1e-9

/**
 * Exactly `size` by `size` pixels, without the text below: the server has no fonts. Modules are scaled by a whole number, so that
 * equal ones are sampled once. `size` must be at least the side of the drawing.
 */
export async function qrPixels({ drawing, design, logo, size }: Parts): Promise<Pixels> {
  const scale = Math.floor(size / drawing.side)
  const offset = Math.floor((size - scale * drawing.side) / 2)
  const canvas: Canvas = { size, scale, offset, rgba: new Uint8Array(size * size * 4), tiles: new Map() }
  if (design.background !== null) fill(canvas.rgba, rgb(design.background))
  const coverage = new Uint8Array(size * size)
  cover({ canvas, coverage }, drawing.modules)
  mixIn({ canvas, coverage }, rgb(design.color))
  coverage.fill(0)
  for (let at = 0; at < drawing.corners.length; at += 3) {
    const [ring, hole, middle] = drawing.corners.slice(at, at + 3) as [Shape, Shape, Shape]
    cover({ canvas, coverage }, [ring])
    cover({ canvas, coverage, isHole: true }, [hole])
    cover({ canvas, coverage }, [middle])
  }
  mixIn({ canvas, coverage }, rgb(design.corner_color))
  if (drawing.logo && logo) await paintLogo(canvas, drawing.logo, logo)
  return { width: size, height: size, rgba: canvas.rgba }
}

function rgb(hex: string): Color {
  const number = parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function fill(rgba: Uint8Array, color: Color): void {
  rgba.set([...color, 255])
  // Each copy is twice as long as the one before.
  for (let filled = 4; filled < rgba.length; filled *= 2) rgba.copyWithin(filled, 0, filled)
}

/** Adds what the shapes cover, 255 for a whole pixel, or takes it away. */
function cover(onto: { canvas: Canvas; coverage: Uint8Array; isHole?: boolean }, shapes: Shape[]): void {
  const { canvas, coverage, isHole = false } = onto
  for (const shape of shapes) {
    const left = Math.floor(shape.x)
    const top = Math.floor(shape.y)
    const tile = tileOf(canvas, { ...shape, x: shape.x - left, y: shape.y - top })
    const first = (canvas.offset + top * canvas.scale) * canvas.size + canvas.offset + left * canvas.scale
    for (let y = 0; y < tile.height; y += 1) {
      const row = tile.coverage.subarray(y * tile.width, (y + 1) * tile.width)
      const at = first + y * canvas.size
      if (!isHole) coverage.set(row, at)
      else for (let x = 0; x < tile.width; x += 1) coverage[at + x]! -= row[x]!
    }
  }
}

function tileOf({ tiles, scale }: Canvas, shape: Shape): Tile {
  const key = `${shape.width} ${shape.radii.join()}`
  const tile = tiles.get(key) ?? sampled(shape, scale)
  tiles.set(key, tile)
  return tile
}

/** How much of each pixel the shape covers. Its edges are no more than a module from the tile's. */
function sampled(shape: Shape, scale: number): Tile {
  const width = Math.ceil(shape.x + shape.width) * scale
  const height = Math.ceil(shape.y + shape.height) * scale
  const coverage = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      coverage[y * width + x] = coverageOf(shape, { x: x / scale, y: y / scale }, 1 / scale)
  }
  return { width, height, coverage }
}

function coverageOf(shape: Shape, pixel: { x: number; y: number }, side: number): number {
  const { x, y } = pixel
  const isIn = (right: number, down: number) => isInside(shape, x + right * side, y + down * side)
  // No shape has a dent.
  if (isIn(0, 0) && isIn(1, 0) && isIn(0, 1) && isIn(1, 1)) return 255
  let hits = 0
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const right = ((sample % SAMPLES) + 0.5) / SAMPLES
    const down = (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES
    if (isIn(right, down)) hits += 1
  }
  return Math.round((hits * 255) / (SAMPLES * SAMPLES))
}

function isInside({ x, y, width, height, radii }: Shape, acrossAt: number, downAt: number): boolean {
  const left = acrossAt - x
  const up = downAt - y
  const right = width - left
  const down = height - up
  if (left < -NEAR || up < -NEAR || right < -NEAR || down < -NEAR) return false
  const isLeft = left < right
  const radius = up < down ? radii[isLeft ? 0 : 1] : radii[isLeft ? 3 : 2]
  const toSide = radius - Math.min(left, right)
  const toEnd = radius - Math.min(up, down)
  return toSide <= 0 || toEnd <= 0 || toSide * toSide + toEnd * toEnd <= radius * radius
}

function mixIn({ canvas, coverage }: { canvas: Canvas; coverage: Uint8Array }, color: Color): void {
  // Nearly all pixels are covered in whole or not at all: four bytes at once.
  const whole = new Uint8Array([...color, 255])
  const [packed] = new Uint32Array(whole.buffer) as unknown as [number]
  const pixels = new Uint32Array(canvas.rgba.buffer)
  for (let pixel = 0; pixel < coverage.length; pixel += 1) {
    if (coverage[pixel] === 255) pixels[pixel] = packed
    else if (coverage[pixel] !== 0) over(canvas.rgba, pixel * 4, { color, alpha: coverage[pixel]! / 255 })
  }
}

async function paintLogo(canvas: Canvas, box: Box, logo: Logo): Promise<void> {
  const pixel = (modules: number) => Math.round(modules * canvas.scale)
  const width = Math.max(1, pixel(box.width))
  const height = Math.max(1, pixel(box.height))
  const { rgba } = await logoPixels(logo, width, height)
  const left = canvas.offset + pixel(box.x)
  const top = canvas.offset + pixel(box.y)
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] === 0) continue
    const y = Math.floor(at / 4 / width)
    const onto = ((top + y) * canvas.size + left + at / 4 - y * width) * 4
    const color: Color = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!]
    over(canvas.rgba, onto, { color, alpha: rgba[at + 3]! / 255 })
  }
}

/** Porter and Duff's "over", with what is below either opaque or partly so. */
function over(rgba: Uint8Array, at: number, { color, alpha }: { color: Color; alpha: number }): void {
  const below = (rgba[at + 3]! / 255) * (1 - alpha)
  const whole = alpha + below
  if (whole === 0) return
  for (let channel = 0; channel < 3; channel += 1) {
    rgba[at + channel] = Math.round((color[channel]! * alpha + rgba[at + channel]! * below) / whole)
  }
  rgba[at + 3] = Math.round(whole * 255)
}
