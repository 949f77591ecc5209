import { lazy, Suspense, useState } from 'react'
import type { LinkView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { useCopyNow } from '../components/copy.tsx'
import { errorsOf, sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/toasts.tsx'
import { useLinkDeletion, useLinkRestoration, useLinkToggle } from '../queries.ts'
import { strings } from '../strings/strings.ts'

const EditPanel = lazy(() => import('./editor/edit-panel.tsx'))
const QrDialog = lazy(() => import('./qr-dialog.tsx'))

/** How long undo is offered. The server accepts it for a little longer. */
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

/** Actions on a link, for the list and its page. */
export function useLinkActions(onRemoved?: () => void): LinkActions {
  const [opened, setOpened] = useState<Opened>()
  const toast = useToast()
  const copyNow = useCopyNow()
  const onError = (error: unknown) => toast({ tone: 'bad', text: strings.failure.undone(sentenceOf(error)) })
  const linkSwitch = useLinkToggle({
    onDone: ({ code, isActive, isUndo = false }) =>
      toast({
        text: (isActive ? strings.links.enabled : strings.links.disabled)(code),
        ...(isUndo
          ? {}
          : {
              shownMs: UNDO_MS,
              onUndo: () => linkSwitch.mutate({ code, isActive: !isActive, isUndo: true }),
            }),
      }),
    onError,
  })
  const restoration = useLinkRestoration({
    onDone: (code) => toast({ text: strings.links.restored(code) }),
    onError: (error) => {
      const reason = errorsOf(error, 'short_code')?.join(' ') ?? sentenceOf(error)
      toast({ tone: 'bad', text: strings.links.notRestored(reason) })
    },
  })
  const deletion = useLinkDeletion({
    onDone: (code) => {
      toast({
        text: strings.links.deleted(code),
        shownMs: UNDO_MS,
        onUndo: () => restoration.mutate(code),
      })
      onRemoved?.()
    },
    onError,
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
  const Opened = opened.what === 'edit' ? EditPanel : QrDialog
  return (
    <Suspense>
      <Opened link={opened.link} onClose={close} />
    </Suspense>
  )
}
