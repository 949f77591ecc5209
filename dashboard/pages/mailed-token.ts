import { useEffect, useState } from 'react'

/**
 * The token of a mailed link, from the fragment (which browsers send to nobody) or the query; gone from the address bar
 * and the history at once.
 */
export function useMailedToken(): string | undefined {
  const [token] = useState(readToken)
  // Not while rendering: a rendering may be thrown away and begun anew, and would find no token then.
  useEffect(() => {
    if (token !== undefined) history.replaceState(history.state, '', location.pathname)
  }, [token])
  return token
}

function readToken(): string | undefined {
  const parameters = [location.hash.slice(1), location.search].map((text) => new URLSearchParams(text))
  return parameters.map((each) => each.get('token')).find((token) => token !== null) ?? undefined
}
