import { useSyncExternalStore } from 'react'

/** Too narrow for a table, or for much beside each other. As in the style sheets. */
export const PHONE = '(max-width: 639px)'

export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
