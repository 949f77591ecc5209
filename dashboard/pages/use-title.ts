import { useEffect } from 'react'
import { words } from '../words.ts'

/** Tabs and histories tell pages apart by it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`
  }, [title])
}
