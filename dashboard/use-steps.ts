import { startTransition, useEffect, useState } from 'react'

const IDLE_MS_MAX = 300

/** Counts from 0 to `last` once `isReady`, one step whenever the browser is idle, so that each step is a short task. */
export function useSteps(isReady: boolean, last: number): number {
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!isReady || step >= last) return
    return whenIdle(() => startTransition(() => setStep(step + 1)))
  }, [isReady, step, last])
  return step
}

/** Safari has no requestIdleCallback. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, 0)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(act, { timeout: IDLE_MS_MAX })
  return () => cancelIdleCallback(request)
}
