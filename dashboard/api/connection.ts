import { useSyncExternalStore } from 'react'

// Whether the server responded to the latest request.

let isAway = false
const listeners = new Set<() => void>()

export function noteConnection(answers: boolean): void {
  if (isAway === !answers) return
  isAway = !answers
  for (const listener of listeners) listener()
}

export const isOffline = (): boolean => isAway

export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => isAway)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
