import { useEffect, useRef } from 'react'
import type { LookedAt } from './use-destination.ts'
import type { LinkFields } from './use-link-form.ts'

type PageTitle = { isNew: boolean; looked: LookedAt | undefined }

/**
 * An empty title becomes that of the page, until somebody types one. In a stored link only when its destination is edited.
 * Returns what is to be called when somebody types.
 */
export function usePageTitle(fields: LinkFields, { isNew, looked }: PageTitle): () => void {
  const { form, before, set, preset } = fields
  const isTyped = useRef(false)
  const filled = useRef('')
  const pageTitle = looked?.isLooking === false ? (looked.look?.title ?? '') : undefined
  const isWanted = isNew || form.original_url !== before.original_url
  useEffect(() => {
    // The form is empty again, for another link.
    if (form.original_url === '') {
      isTyped.current = false
      filled.current = ''
    }
    if (pageTitle === undefined || !isWanted || isTyped.current) return
    if (form.title !== filled.current || form.title === pageTitle) return
    filled.current = pageTitle
    if (isNew) preset({ title: pageTitle })
    else set({ title: pageTitle })
  }, [pageTitle, isWanted, form.original_url])
  return () => {
    isTyped.current = true
  }
}
