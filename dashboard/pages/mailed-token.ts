import { useEffect, useState } from 'react'

/**
 * The token of a mailed link, from behind the # (which browsers send to nobody); gone from the address bar and the
 * history at once.
 */
export function useMailedToken(): string | undefined {
  const [token, setToken] = useState(readToken)
  // Not while rendering: a rendering may be thrown away and begun anew, and would find no token then.
  useEffect(() => {
    const read = () => {
      const found = readToken()
      if (found === undefined) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname)
    }
    read()
    // A link that is opened where the page stands already changes what is behind the #, and loads nothing.
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return token
}

const readToken = (): string | undefined => location.hash.slice(1) || undefined
