/** A phone: one rule is open at a time, and its chips are short. */
export const NARROW = '(max-width: 639px)'
