import { encodeQR } from 'qr'

/** Width of the quiet zone in modules, ISO/IEC 18004. */
const BORDER = 4

type QrPictureProps = { text: string; label: string; pixels: number }

/** Dark on white in both themes: some cameras do not recognize inverted codes. */
export default function QrPicture({ text, label, pixels }: QrPictureProps) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={label}
      width={pixels}
      height={pixels}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width={rows.length} height={rows.length} fill="#ffffff" />
      <path fill="#000000" d={path.join('')} />
    </svg>
  )
}
