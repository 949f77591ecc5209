import { useQueryClient } from '@tanstack/react-query'
import { type Session, SESSION } from '../../use-session.ts'

// The session names the import that the server runs, so that every page of every member can follow it.

/** For what this page knows before the session is read again. */
export function useRunningImportChange(): (jobId: number | null) => void {
  const client = useQueryClient()
  return (jobId) => {
    client.setQueryData<Session>(SESSION, (session) =>
      session?.user ? { ...session, user: { ...session.user, running_import: jobId } } : session,
    )
    // Another one may run.
    if (jobId === null) void client.invalidateQueries({ queryKey: SESSION })
  }
}

const SAID = 'tern-import-said'

/** False if another tab, or another part of the page, was first: only one says what came of the import. */
export function isFirstToSay(outcome: string): boolean {
  try {
    if (localStorage.getItem(SAID) === outcome) return false
    localStorage.setItem(SAID, outcome)
  } catch {
    // The browser's storage is full, or switched off.
  }
  return true
}
