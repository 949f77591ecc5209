import type { SeededChance } from './traffic.ts'

/** Links that are requested about equally often: how many, and the share of requests of each. */
export type ShareClass = { links: number; share: number }

/** Links with a class of their own; later ones share classes. */
const SINGLE_LINKS = 10_000
/** The last of a class has a rank so much higher than the first. */
const CLASS_RATIO = 1.001

/** Zipf's law: the k-th link is requested in proportion to 1 / k^exponent. The shares add up to 1. */
export function zipfShares(links: number, exponent: number): ShareClass[] {
  const classes: ShareClass[] = []
  let sum = 0
  for (let from = 1; from <= links;) {
    const after = from <= SINGLE_LINKS ? from + 1 : Math.min(links + 1, Math.ceil(from * CLASS_RATIO))
    const weight = after - from === 1 ? from ** -exponent : weightBetween(exponent, from - 0.5, after - 0.5)
    classes.push({ links: after - from, share: weight / (after - from) })
    sum += weight
    from = after
  }
  return classes.map((each) => ({ links: each.links, share: each.share / sum }))
}

const weightBetween = (exponent: number, from: number, to: number): number =>
  integral(exponent, to) - integral(exponent, from)

/** Of 1 / x^exponent, from 1 on. */
function integral(exponent: number, x: number): number {
  return exponent === 1 ? Math.log(x) : (x ** (1 - exponent) - 1) / (1 - exponent)
}

function integralInverse(exponent: number, y: number): number {
  return exponent === 1 ? Math.exp(y) : (1 + y * (1 - exponent)) ** (1 / (1 - exponent))
}

/**
 * Ranks by Zipf's law, each drawn in constant time whatever their number: rejection-inversion (Hörmann and Derflinger,
 * ACM TOMACS 6(3), 1996), which draws from the curve under which the ranks are bars, and seldom has to draw again.
 */
export class ZipfSampler {
  readonly #links: number
  readonly #exponent: number
  readonly #chance: SeededChance
  readonly #least: number
  readonly #most: number
  /** So close below its rank a point needs no closer look. */
  readonly #sure: number

  constructor(chance: SeededChance, links: number, exponent: number) {
    this.#chance = chance
    this.#links = links
    this.#exponent = exponent
    this.#least = integral(exponent, 1.5) - 1
    this.#most = integral(exponent, links + 0.5)
    this.#sure = 2 - integralInverse(exponent, integral(exponent, 2.5) - 2 ** -exponent)
  }

  next(): number {
    for (;;) {
      // Two numbers of 32 bits: one alone would leave gaps among billions of ranks.
      const random = this.#chance.next() + this.#chance.next() * 2 ** -32
      const y = this.#most + random * (this.#least - this.#most)
      const x = integralInverse(this.#exponent, y)
      const rank = Math.min(this.#links, Math.max(1, Math.round(x)))
      if (rank - x <= this.#sure) return rank
      if (y >= integral(this.#exponent, rank + 0.5) - rank ** -this.#exponent) return rank
    }
  }
}
