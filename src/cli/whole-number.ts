import { invalid } from '../errors/refusal.ts'

/** An argument that is a number, of at least `min`. `what` is its name in the refusal. */
export function wholeNumber(text: string, what: string, min = 0): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid({ [what]: [`The ${what} must be a whole number.`] })
  if (Number(text) < min) throw invalid({ [what]: [`The ${what} must be at least ${min}.`] })
  return Number(text)
}
