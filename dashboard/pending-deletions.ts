import { useSyncExternalStore } from 'react'
import { api } from './api-client.ts'

/** How long a deletion can be taken back. Until then the server has not heard of it. */
export const UNDO_MS = 10_000

type Pending = { timer: ReturnType<typeof setTimeout>; send: (outlivesPage: boolean) => Promise<void> }

const pending = new Map<string, Pending>()
const listeners = new Set<() => void>()
let codes: ReadonlySet<string> = new Set()

function changed(): void {
  codes = new Set(pending.keys())
  for (const listener of listeners) listener()
}

/** Hides the link at once, and has it deleted when the time to think is over or the page is left. */
export function deleteLater(code: string, onDone: (error?: unknown) => Promise<void>): void {
  const send = async (outlivesPage: boolean) => {
    clearTimeout(pending.get(code)?.timer)
    const error: unknown = await api.deleteLink(code, outlivesPage).then(
      () => undefined,
      (refused: unknown) => refused,
    )
    // Hidden until the lists have been asked for anew, or it would show once more for a moment.
    await onDone(error)
    pending.delete(code)
    changed()
  }
  pending.set(code, { timer: setTimeout(() => void send(false), UNDO_MS), send })
  changed()
}

export function keepAfterAll(code: string): void {
  clearTimeout(pending.get(code)?.timer)
  pending.delete(code)
  changed()
}

/** Whoever leaves, or signs out, has not said undo. */
export async function sendPendingDeletions(): Promise<void> {
  await Promise.all([...pending.values()].map(({ send }) => send(true)))
}

export const usePendingDeletions = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => codes,
  )
