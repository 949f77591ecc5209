import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Ignores calls while a mutation that the last call has started is running. What the screen shows would be too late: two quick
 * presses see the same render.
 */
export function useSubmission(submit: () => void): () => void {
  const cache = useQueryClient().getMutationCache()
  const started = useRef<Mutation<any, any, any, any>[]>([])
  return () => {
    if (started.current.some(({ state }) => state.status === 'pending')) return
    const before = new Set(cache.getAll())
    submit()
    started.current = cache.getAll().filter((mutation) => !before.has(mutation))
  }
}
