import { lazy, Suspense, useState } from 'react'
import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { useCopyNow } from '../parts/copy.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useLinkDeletion, useLinkRestoration, useLinkSwitch } from '../queries.ts'
import { words } from '../words.ts'

// Most visits open neither.
const EditDialog = lazy(() => import('./edit-dialog.tsx'))
const QrDialog = lazy(() => import('./qr-dialog.tsx'))

/** How long undo is offered; the server would take it a while longer. */
export const UNDO_MS = 10_000

type Opened = { what: 'edit' | 'qr'; link: LinkView }

export type LinkActions = {
  opened: Opened | undefined
  open: (what: Opened['what'], link: LinkView) => void
  close: () => void
  copy: (link: LinkView) => void
  turn: (link: LinkView, isActive: boolean) => void
  remove: (link: LinkView) => void
}

/** What can be done with a link, the same in the list and on its own page. */
export function useLinkActions(onRemoved?: () => void): LinkActions {
  const [opened, setOpened] = useState<Opened>()
  const toast = useToast()
  const copyNow = useCopyNow()
  const onRefused = (error: unknown) => toast({ tone: 'bad', text: words.failure.undone(sentenceOf(error)) })
  const linkSwitch = useLinkSwitch({
    onDone: ({ code, isActive, isUndo = false }) =>
      toast({
        text: (isActive ? words.links.enabled : words.links.disabled)(code),
        ...(isUndo
          ? {}
          : {
              shownMs: UNDO_MS,
              onUndo: () => linkSwitch.mutate({ code, isActive: !isActive, isUndo: true }),
            }),
      }),
    onRefused,
  })
  const restoration = useLinkRestoration({
    onDone: (code) => toast({ text: words.links.restored(code) }),
    onRefused: (error) => toast({ tone: 'bad', text: words.links.notRestored(sentenceOf(error)) }),
  })
  const deletion = useLinkDeletion({
    onDone: (code) => {
      toast({
        text: words.links.deleted(code),
        shownMs: UNDO_MS,
        onUndo: () => restoration.mutate(code),
      })
      onRemoved?.()
    },
    onRefused,
  })
  return {
    opened,
    open: (what, link) => setOpened({ what, link }),
    close: () => setOpened(undefined),
    copy: ({ short_url: url }) => void copyNow(url),
    turn: ({ short_code: code }, isActive) => linkSwitch.mutate({ code, isActive }),
    remove: ({ short_code: code }) => deletion.mutate(code),
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
