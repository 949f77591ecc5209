import { percentChange } from '../format.ts'

/** `before`: null where nobody could have clicked for all of that time. */
export type Compared = { now: number; before: number | null }
export type Change = { kind: 'new' } | { kind: 'none' } | { kind: 'up' | 'down'; text: string }

/** Less either way is noise. */
const RATIO_MIN = 0.01

/** Nothing is claimed against a time that had no clicks, or in which the link was not there. */
export function changeOf({ now, before }: Compared): Change {
  if (before === null || (before === 0 && now > 0)) return { kind: 'new' }
  const ratio = before === 0 ? 0 : now / before - 1
  if (Math.abs(ratio) < RATIO_MIN) return { kind: 'none' }
  return { kind: ratio > 0 ? 'up' : 'down', text: percentChange(ratio) }
}
