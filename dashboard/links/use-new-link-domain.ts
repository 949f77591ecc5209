import { useState } from 'react'
import { useSignedIn } from '../use-session.ts'

/** Where the next link is made: on the domain of the last one from this browser, or the default of the workspace. */
export function useNewLinkDomain() {
  const { user } = useSignedIn()
  const { domains } = user
  const key = `tern-domain-${user.workspace.id}`
  const [last, setLast] = useState(() => read(key))
  return {
    domains,
    domain: domains.find((host) => host === last) ?? domains[0]!,
    choose: (host: string) => {
      setLast(host)
      write(key, host)
    },
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, host: string): void {
  try {
    localStorage.setItem(key, host)
  } catch {
    // The browser's storage is full, or switched off.
  }
}
