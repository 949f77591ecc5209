/** Usually the API thread needs less than a second more than redirects. */
const READY_MS_MAX = 10_000

type Wait = {
  ready: Promise<void>
  /** Called once if it takes longer than `msMax`. */
  sayLate(): void
  msMax?: number
}

/** Whether a service is ready before something ends it, such as a stop signal. */
export async function isReadyBefore(
  ended: Promise<unknown>,
  { ready, sayLate, msMax = READY_MS_MAX }: Wait,
): Promise<boolean> {
  const timer = setTimeout(sayLate, msMax)
  const isReady = ready.then(
    () => true,
    // What failed is what ended resolves with.
    () => false,
  )
  try {
    return await Promise.race([isReady, ended.then(() => false)])
  } finally {
    clearTimeout(timer)
  }
}
