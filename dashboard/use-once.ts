import { useRef } from 'react'

/** Ignores calls until the one before is done. State would be too late: two quick presses see the same render. */
export function useOnce(run: () => Promise<unknown>): () => Promise<void> {
  const isRunning = useRef(false)
  return async () => {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await run()
    } finally {
      isRunning.current = false
    }
  }
}
