import { useSyncExternalStore } from 'react'

// The import that was started in this browser, so that every page can follow it. One of each workspace.

const keyOf = (workspaceId: number) => `tern-import-${workspaceId}`
const CHANGED = 'tern-import'

function read(workspaceId: number): number | undefined {
  try {
    return Number(localStorage.getItem(keyOf(workspaceId))) || undefined
  } catch {
    return undefined
  }
}

export function rememberImport(workspaceId: number, jobId: number): void {
  try {
    localStorage.setItem(keyOf(workspaceId), String(jobId))
  } catch {
    // The browser's storage is full, or switched off.
  }
  dispatchEvent(new Event(CHANGED))
}

/** False if another tab, or another part of the page, was first: only one says what came of the import. */
export function forgetImport(workspaceId: number, jobId: number): boolean {
  if (read(workspaceId) !== jobId) return false
  localStorage.removeItem(keyOf(workspaceId))
  dispatchEvent(new Event(CHANGED))
  return true
}

/** The ID of the job, if there is one. */
export const useRememberedImport = (workspaceId: number): number | undefined =>
  useSyncExternalStore(subscribe, () => read(workspaceId))

function subscribe(onChange: () => void): () => void {
  // `storage`: another tab has changed it.
  for (const name of [CHANGED, 'storage']) addEventListener(name, onChange)
  return () => {
    for (const name of [CHANGED, 'storage']) removeEventListener(name, onChange)
  }
}
