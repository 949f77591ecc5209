import { useRef } from 'react'

/**
 * Ignores calls until the promise of the last one has settled. What the screen shows would be too late: two quick presses see
 * the same render. Who has made the promise says why it failed.
 */
export function useOnce(act: () => unknown): () => void {
  const isRunning = useRef(false)
  const run = async () => act()
  return () => {
    if (isRunning.current) return
    isRunning.current = true
    void run()
      .catch(() => {})
      .finally(() => {
        isRunning.current = false
      })
  }
}
