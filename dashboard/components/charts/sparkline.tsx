type SparklineProps = {
  values: number[]
  width: number
  height: number
  /** The last value is of a day that is not over: dotted, and left out while it is 0. */
  isRunning?: boolean
}

/** A small chart without axes. It starts at zero. */
export function Sparkline({ values, width, height, isRunning = false }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, at) => `${round(at * step)} ${round(height - (value / max) * height)}`)
  const over = isRunning ? points.slice(0, -1) : points
  const line = over.length === 0 ? '' : `M${over.join('L')}`
  const endX = round(Math.max(0, over.length - 1) * step)
  const hasDots = isRunning && points.length > 1 && values.at(-1) !== 0
  const isFlat = values.every((value) => value === 0)
  return (
    <svg
      className={`sparkline${isFlat ? ' is-flat' : ''}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden
    >
      <path className="area" d={line && `${line}L${endX} ${height}L0 ${height}Z`} />
      <path className="line" d={line} />
      {hasDots && <path className="line is-running" d={`M${points.slice(-2).join('L')}`} />}
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
