type SparklineProps = { values: number[]; width: number; height: number; label?: string }

/** A small chart without axes. It starts at zero. */
export function Sparkline({ values, width, height, label }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, at) => `${round(at * step)} ${round(height - (value / max) * height)}`)
  const line = `M${points.join('L')}`
  const isFlat = values.every((value) => value === 0)
  return (
    <svg
      className={`sparkline${isFlat ? ' is-flat' : ''}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path className="area" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path className="line" d={line} />
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
