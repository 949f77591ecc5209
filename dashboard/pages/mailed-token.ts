import { useState } from 'react'

/**
 * The token of a mailed link, from the fragment (which browsers send to nobody) or the query; gone from the address bar
 * and the history at once.
 */
export function useMailedToken(): string | undefined {
  const [token] = useState(() => {
    const found =
      new URLSearchParams(location.hash.slice(1)).get('token') ??
      new URLSearchParams(location.search).get('token')
    if (found !== null) history.replaceState(history.state, '', location.pathname)
    return found ?? undefined
  })
  return token
}
