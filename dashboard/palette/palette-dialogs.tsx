import { lazy, Suspense, useState } from 'react'
import type { Created } from '../links/create-and-copy.ts'
import { useCreatedToast } from '../links/created-toast.ts'
import type { LinkForm } from '../links/editor/link-form.ts'
import { LinkDialogs, type LinkActions, useLinkActions } from '../links/link-actions.tsx'

const CreatePanel = lazy(() => import('../links/editor/create-panel.tsx'))
const BulkDialog = lazy(() => import('../links/bulk-dialog.tsx'))
const NewKeyDialog = lazy(async () => ({
  default: (await import('../keys/new-key-dialog.tsx')).NewKeyDialog,
}))
const InviteDialog = lazy(async () => ({
  default: (await import('../admin/invite-dialog.tsx')).InviteDialog,
}))

type Opened =
  { what: 'create'; form?: Partial<LinkForm> } | { what: 'bulk' } | { what: 'key' } | { what: 'invite' }

/** What the actions open, after the palette has closed. */
export type PaletteDialogs = {
  opened: Opened | undefined
  open: (opened: Opened) => void
  close: () => void
  onCreated: Created
  actions: LinkActions
}

export function usePaletteDialogs(): PaletteDialogs {
  const [opened, setOpened] = useState<Opened>()
  const actions = useLinkActions()
  return {
    opened,
    open: setOpened,
    close: () => setOpened(undefined),
    onCreated: useCreatedToast(actions),
    actions,
  }
}

export const OpenedDialogs = ({
  dialogs: { opened, close, onCreated, actions },
}: {
  dialogs: PaletteDialogs
}) => (
  <>
    <LinkDialogs actions={actions} />
    <Suspense>
      {opened?.what === 'create' && (
        <CreatePanel firstUrl="" firstForm={opened.form} onCreated={onCreated} onClose={close} />
      )}
      {opened?.what === 'bulk' && <BulkDialog firstText="" onClose={close} />}
      {opened?.what === 'key' && <NewKeyDialog onClose={close} />}
      {opened?.what === 'invite' && <InviteDialog onClose={close} />}
    </Suspense>
  </>
)
