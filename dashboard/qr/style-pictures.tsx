import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'

const PATTERN = ['##.#', '#.#.', '##..', '.###']

/** A few modules, as each kind draws them. */
export const ModulesPicture = ({ kind }: { kind: QrDesign['modules'] }) => (
  <svg viewBox="0 0 4 4" width={36} height={36} fill="currentColor" aria-hidden>
    {PATTERN.flatMap((row, y) =>
      [...row].map((cell, x) => cell === '#' && <Module key={`${x} ${y}`} kind={kind} x={x} y={y} />),
    )}
  </svg>
)

function Module({ kind, x, y }: { kind: QrDesign['modules']; x: number; y: number }) {
  if (kind === 'dots') return <circle cx={x + 0.5} cy={y + 0.5} r={0.45} />
  if (kind === 'square') return <rect x={x} y={y} width={1} height={1} />
  const isJoined = (dx: number, dy: number) => PATTERN[y + dy]?.[x + dx] === '#'
  // The round module, and half a one toward each neighbor.
  return (
    <>
      <circle cx={x + 0.5} cy={y + 0.5} r={0.5} />
      {isJoined(-1, 0) && <rect x={x} y={y} width={0.5} height={1} />}
      {isJoined(1, 0) && <rect x={x + 0.5} y={y} width={0.5} height={1} />}
      {isJoined(0, -1) && <rect x={x} y={y} width={1} height={0.5} />}
      {isJoined(0, 1) && <rect x={x} y={y + 0.5} width={1} height={0.5} />}
    </>
  )
}

const RADII = { square: [0, 0], rounded: [1.7, 1], round: [3, 1.5] } as const

export function CornerPicture({ kind }: { kind: QrDesign['corners'] }) {
  const [ring, middle] = RADII[kind]
  return (
    <svg viewBox="0 0 7 7" width={36} height={36} aria-hidden>
      <rect x={0.5} y={0.5} width={6} height={6} rx={ring} fill="none" stroke="currentColor" />
      <rect x={2} y={2} width={3} height={3} rx={middle} fill="currentColor" />
    </svg>
  )
}
