import { useSyncExternalStore } from 'react'

// Whether the server answers, as the latest request found.

let isAway = false
const listeners = new Set<() => void>()

/** Told by every request how it went. */
export function noteConnection(answers: boolean): void {
  if (isAway === !answers) return
  isAway = !answers
  for (const listener of listeners) listener()
}

export const useIsAway = (): boolean => useSyncExternalStore(subscribe, () => isAway)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
