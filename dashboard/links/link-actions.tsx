import { lazy, Suspense, useState } from 'react'
import type { Link } from '../api-client.ts'
import { sentenceOf } from '../parts/states.tsx'
import { useToast } from '../parts/toasts.tsx'
import { deleteLater, keepAfterAll, UNDO_MS } from '../pending-deletions.ts'
import { useLinkSwitch, useListsAnew } from '../queries.ts'
import { words } from '../words.ts'

// Most visits open neither.
const EditDialog = lazy(() => import('./edit-dialog.tsx'))
const QrDialog = lazy(() => import('./qr-dialog.tsx'))

type Opened = { what: 'edit' | 'qr'; link: Link }

export type LinkActions = {
  opened: Opened | undefined
  open: (what: Opened['what'], link: Link) => void
  close: () => void
  turn: (link: Link, isActive: boolean) => void
  remove: (link: Link) => void
}

/** What can be done with a link, the same in the list and on its own page. */
export function useLinkActions(onRemoved?: () => void): LinkActions {
  const [opened, setOpened] = useState<Opened>()
  const toast = useToast()
  const listsAnew = useListsAnew()
  const refused = (error: unknown) => toast({ tone: 'bad', text: words.failure.undone(sentenceOf(error)) })
  const linkSwitch = useLinkSwitch(refused)
  return {
    opened,
    open: (what, link) => setOpened({ what, link }),
    close: () => setOpened(undefined),
    turn: ({ short_code: code }, isActive) => linkSwitch.mutate({ code, isActive }),
    remove({ short_code: code }) {
      deleteLater(code, (error) => {
        if (error !== undefined) refused(error)
        return listsAnew()
      })
      toast({ text: words.links.deleted(code), shownMs: UNDO_MS, onUndo: () => keepAfterAll(code) })
      onRemoved?.()
    },
  }
}

export function LinkDialogs({ actions: { opened, close } }: { actions: LinkActions }) {
  if (opened === undefined) return null
  const Opened = opened.what === 'edit' ? EditDialog : QrDialog
  return (
    <Suspense>
      <Opened link={opened.link} onClose={close} />
    </Suspense>
  )
}
