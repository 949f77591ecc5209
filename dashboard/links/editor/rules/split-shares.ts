// Shares are whole numbers of percent from 1 on, and always add up to 100.

const WHOLE = 100

/** What weights are in percent. Weights that add up to 100 are their own shares. */
export const sharesOf = (weights: readonly number[]): number[] => apportion(WHOLE, weights)

/** The first gets what is left over. */
export function evenShares(count: number): number[] {
  const share = Math.floor(WHOLE / count)
  return Array.from({ length: count }, (_, at) => (at === 0 ? WHOLE - share * (count - 1) : share))
}

/** The others give or take in proportion to what they have. */
export function withShare(shares: readonly number[], at: number, wanted: number): number[] {
  const share = Math.min(Math.max(Math.round(wanted), 1), WHOLE - (shares.length - 1))
  const others = apportion(
    WHOLE - share,
    shares.filter((_, index) => index !== at),
  )
  return others.toSpliced(at, 0, share)
}

/** A new one at the end gets an even share, which all others give. */
export function withShareAdded(shares: readonly number[]): number[] {
  const newShare = Math.floor(WHOLE / (shares.length + 1))
  return [...apportion(WHOLE - newShare, shares), newShare]
}

export const withoutShare = (shares: readonly number[], at: number): number[] =>
  apportion(
    WHOLE,
    shares.filter((_, index) => index !== at),
  )

/** Divides a total in proportion to weights, into whole numbers from 1 on. */
function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const exact = weights.map((weight) => (total * weight) / sum)
  const parts = exact.map((part) => Math.max(1, Math.floor(part)))
  const missing = (at: number) => exact[at]! - parts[at]!
  const indexes = parts.map((_, at) => at)
  for (let left = total - sumOf(parts); left !== 0; left -= Math.sign(left)) {
    const step = Math.sign(left)
    const free = indexes.filter((at) => step > 0 || parts[at]! > 1)
    const next = free.reduce((best, at) => (step * missing(at) > step * missing(best) ? at : best), free[0]!)
    parts[next]! += step
  }
  return parts
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
