import { changePercent, wholeText } from '../runtime/number-text.ts'

/** `before`: null if there is no whole period before. */
export type ComparedFigure = { now: number; before: number | null }

/** Smaller changes are noise. */
const RATIO_MIN = 0.01

/** As the dashboard says it: `+40% from 1,234`, `No change` or `New`. */
export function figureChange({ now, before }: ComparedFigure): string {
  if (before === null || (before === 0 && now > 0)) return 'New'
  const ratio = before === 0 ? 0 : now / before - 1
  if (Math.abs(ratio) < RATIO_MIN) return 'No change'
  return `${changePercent(ratio)} from ${wholeText(before)}`
}
