import { percentChange } from '../format.ts'

/** `before`: null if the link did not exist for the whole previous period. */
export type Compared = { now: number; before: number | null }
export type Change = { kind: 'new' } | { kind: 'none' } | { kind: 'up' | 'down'; text: string }

/** Smaller changes are noise. */
const RATIO_MIN = 0.01

/** No percentage if there were no clicks before, or the link did not exist. */
export function changeOf({ now, before }: Compared): Change {
  if (before === null || (before === 0 && now > 0)) return { kind: 'new' }
  const ratio = before === 0 ? 0 : now / before - 1
  if (Math.abs(ratio) < RATIO_MIN) return { kind: 'none' }
  return { kind: ratio > 0 ? 'up' : 'down', text: percentChange(ratio) }
}
