import { useState } from 'react'
import type { ShareView } from '../../src/http/endpoints/browser-types.ts'
import type { Panel, ShareChanges, ShareSubject } from './share-queries.ts'
import { shareStrings } from './share-strings.ts'

const ALL_PANELS = Object.keys(shareStrings.panel) as Panel[]

export const panelsOf = ({ kind }: ShareSubject): Panel[] =>
  ALL_PANELS.filter((panel) => panel !== (kind === 'link' ? 'links' : 'destination'))

type ShareForm = {
  panels: Panel[]
  /** ISO 8601; null: it does not end. */
  endsAt: string | null
  /** Undefined: as it is. Null: none. */
  password: string | null | undefined
}

/** What is chosen in the dialog, and how that differs from the page as it is. */
export function useShareForm(share: ShareView) {
  const before: ShareForm = { panels: share.panels, endsAt: share.ends_at, password: undefined }
  const [form, setForm] = useState(before)
  const set = (change: Partial<ShareForm>) => setForm((now) => ({ ...now, ...change }))
  const toggle = (panel: Panel, isShown: boolean) =>
    set({ panels: ALL_PANELS.filter((each) => (each === panel ? isShown : form.panels.includes(each))) })
  return { form, set, toggle, changes: changesOf(before, form) }
}

/** Undefined if there are none. */
export function changesOf(
  before: ShareForm,
  { panels, endsAt, password }: ShareForm,
): ShareChanges | undefined {
  const hasOtherPanels = panels.join() !== before.panels.join()
  const hasOtherEnd = Date.parse(endsAt ?? '') !== Date.parse(before.endsAt ?? '') && endsAt !== before.endsAt
  const changes: ShareChanges = {
    ...(hasOtherPanels && { panels }),
    ...(hasOtherEnd && { ends_at: endsAt }),
    ...(password !== undefined && password !== '' && { password }),
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}
