import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Ignores calls while what the last call has started is going on: a mutation, or a promise that it returned. What the screen
 * shows would be too late: two quick presses see the same render. A mutation says itself why it failed.
 */
export function useSubmission(submit: () => unknown): () => void {
  const cache = useQueryClient().getMutationCache()
  const started = useRef<Mutation<any, any, any, any>[]>([])
  const isRunning = useRef(false)
  return () => {
    if (isRunning.current || started.current.some(({ state }) => state.status === 'pending')) return
    const before = new Set(cache.getAll())
    const work = submit()
    started.current = cache.getAll().filter((mutation) => !before.has(mutation))
    if (!(work instanceof Promise)) return
    isRunning.current = true
    work
      .catch(() => {})
      .finally(() => {
        isRunning.current = false
      })
  }
}
