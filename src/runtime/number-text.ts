import { once } from './make-once.ts'

// Formats are made at their first use: the first one of a process loads the data of languages, which takes tens of milliseconds.

const whole = once(() => new Intl.NumberFormat('en-US'))
const share = once(() => new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }))
const change = once(
  () =>
    new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
)

/** `1,234` */
export const wholeText = (count: number): string => whole().format(count)

/** `12.5%`, of a percentage from 0 to 100. */
export const percentText = (percentage: number): string => share().format(percentage / 100)

/** `+40%`, of 0.4. */
export const changePercent = (ratio: number): string => change().format(ratio)
