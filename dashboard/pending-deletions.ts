import { useSyncExternalStore } from 'react'
import { api } from './api-client.ts'

/** How long a deletion can be taken back. Until then the server has not heard of it. */
export const UNDO_MS = 10_000

type Pending = { timer: ReturnType<typeof setTimeout>; send: () => void }

const pending = new Map<string, Pending>()
const listeners = new Set<() => void>()
let codes: ReadonlySet<string> = new Set()

function changed(): void {
  codes = new Set(pending.keys())
  for (const listener of listeners) listener()
}

/** Hides the link at once, and has it deleted when the time to think is over or the page is left. */
export function deleteLater(code: string, onDone: (error?: unknown) => void): void {
  const send = (outlivesPage = false) => {
    clearTimeout(pending.get(code)?.timer)
    void api
      .deleteLink(code, outlivesPage)
      .then(
        () => onDone(),
        (error: unknown) => onDone(error),
      )
      .finally(() => {
        pending.delete(code)
        changed()
      })
  }
  pending.set(code, { timer: setTimeout(send, UNDO_MS), send: () => send(true) })
  changed()
}

export function keepAfterAll(code: string): void {
  clearTimeout(pending.get(code)?.timer)
  pending.delete(code)
  changed()
}

/** Whoever leaves has not said undo. */
export function sendPendingDeletions(): void {
  for (const { send } of pending.values()) send()
}

export const usePendingDeletions = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => codes,
  )
