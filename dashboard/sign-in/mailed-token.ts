import { useEffect, useState } from 'react'

/** The token of a mailed link, from the fragment, which browsers do not send. It is removed from URL and history. */
export function useMailedToken(): string | undefined {
  const [token, setToken] = useState(readToken)
  // Not during rendering, which may be discarded and repeated, and would then find no token.
  useEffect(() => {
    const readOnce = () => {
      const token = readToken()
      if (token === undefined) return
      setToken(token)
      history.replaceState(history.state, '', location.pathname)
    }
    readOnce()
    // Opening such a link on the same page changes the fragment only.
    addEventListener('hashchange', readOnce)
    return () => removeEventListener('hashchange', readOnce)
  }, [])
  return token
}

const readToken = (): string | undefined => location.hash.slice(1) || undefined
