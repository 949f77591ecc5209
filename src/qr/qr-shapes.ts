import type { Logo } from '../links/qr-style/qr-logo.ts'
import { qrMatrix } from './qr-matrix.ts'
import type { QrDesign } from '../links/qr-style/qr-style.ts'

/** A rectangle in modules, with the radius of each corner: top left, top right, bottom right, bottom left. */
export type Shape = { x: number; y: number; width: number; height: number; radii: Radii }
type Radii = readonly [number, number, number, number]
export type Box = Omit<Shape, 'radii'>

/** All that is drawn, in modules from the outer edge of the quiet zone. Text is left to the SVG. */
export type Drawing = {
  side: number
  modules: Shape[]
  /** From the outside in: every second one is a hole in the one before. */
  corners: Shape[]
  logo: Box | undefined
}

const FINDER = 7
const DOT = 0.9
/** Radii of the ring's edge, of the hole in it, and of what is in the hole. */
const CORNER_RADII = { square: [0, 0, 0], rounded: [2.2, 1.3, 1], round: [3.5, 2.5, 1.5] } as const

export function qrShapes(text: string, design: QrDesign, logo: Logo | undefined): Drawing {
  // What the logo covers has to be recovered.
  const rows = qrMatrix(text, logo === undefined ? 'M' : 'H')
  const quiet = design.quiet_zone
  const box = logo && logoBox(rows.length, logo.ratio, design.logo_size / 100)
  if (box && design.logo_is_clear) clearAround(rows, box)
  const inside = rows.map((row, y) => row.map((isDark, x) => isDark && !isFinder(x, y, rows.length)))
  return {
    side: rows.length + 2 * quiet,
    modules: moved(moduleShapes(inside, design.modules), quiet),
    corners: moved(cornerShapes(rows.length, design.corners), quiet),
    logo: box && { ...box, x: box.x + quiet, y: box.y + quiet },
  }
}

/** The longer side has the share of the width that was asked for. */
function logoBox(modules: number, ratio: number, share: number): Box {
  const width = modules * share * Math.min(1, ratio)
  const height = modules * share * Math.min(1, 1 / ratio)
  return { x: (modules - width) / 2, y: (modules - height) / 2, width, height }
}

/** Half a module of space at least. */
function clearAround(rows: boolean[][], { x, y, width, height }: Box): void {
  const left = Math.floor(x - 0.5)
  const right = Math.ceil(x + width + 0.5)
  const top = Math.floor(y - 0.5)
  const bottom = Math.ceil(y + height + 0.5)
  for (const row of rows.slice(Math.max(0, top), bottom)) row.fill(false, Math.max(0, left), right)
}

function isFinder(x: number, y: number, side: number): boolean {
  const end = side - FINDER
  return (x < FINDER && (y < FINDER || y >= end)) || (x >= end && y < FINDER)
}

function moduleShapes(rows: boolean[][], kind: QrDesign['modules']): Shape[] {
  const isDark = (x: number, y: number) => rows[y]?.[x] === true
  return rows.flatMap((row, y) => {
    const shapes: Shape[] = []
    for (let x = 0; x < row.length; x += 1) {
      if (row[x]) shapes.push(moduleShape(x, y, kind === 'rounded' ? isDark : kind))
    }
    return shapes
  })
}

function moduleShape(
  x: number,
  y: number,
  kind: 'square' | 'dots' | ((x: number, y: number) => boolean),
): Shape {
  if (kind === 'square') return { x, y, width: 1, height: 1, radii: [0, 0, 0, 0] }
  if (kind === 'dots') {
    const inset = (1 - DOT) / 2
    const radius = DOT / 2
    return { x: x + inset, y: y + inset, width: DOT, height: DOT, radii: [radius, radius, radius, radius] }
  }
  // Round where no neighbor continues the line.
  const left = kind(x - 1, y)
  const right = kind(x + 1, y)
  const up = kind(x, y - 1)
  const down = kind(x, y + 1)
  const radius = (isJoined: boolean) => (isJoined ? 0 : 0.5)
  const radii: Radii = [radius(left || up), radius(right || up), radius(right || down), radius(left || down)]
  return { x, y, width: 1, height: 1, radii }
}

function cornerShapes(side: number, kind: QrDesign['corners']): Shape[] {
  const end = side - FINDER
  const places: [x: number, y: number][] = [
    [0, 0],
    [end, 0],
    [0, end],
  ]
  return places.flatMap(([x, y]) =>
    [0, 1, 2].map((inset) => {
      const size = FINDER - 2 * inset
      const radius = CORNER_RADII[kind][inset]!
      return {
        x: x + inset,
        y: y + inset,
        width: size,
        height: size,
        radii: [radius, radius, radius, radius],
      }
    }),
  )
}

const moved = (shapes: Shape[], by: number): Shape[] =>
  shapes.map((shape) => ({ ...shape, x: shape.x + by, y: shape.y + by }))
