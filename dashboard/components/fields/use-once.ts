import { useRef } from 'react'

/**
 * Ignores calls until the promise of the last one has settled. What the screen shows would be too late: two quick presses see
 * the same render. Who has made the promise says why it failed.
 */
export function useOnce<Args extends unknown[]>(act: (...args: Args) => unknown): (...args: Args) => void {
  const isRunning = useRef(false)
  const run = async (args: Args) => act(...args)
  return (...args) => {
    if (isRunning.current) return
    isRunning.current = true
    void run(args)
      .catch(() => {})
      .finally(() => {
        isRunning.current = false
      })
  }
}
