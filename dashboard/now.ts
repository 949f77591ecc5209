/** The only place that reads the clock. */
export const nowMs = (): number => Date.now()
