/** The one place where the dashboard asks for the time. */
export const nowMs = (): number => Date.now()
