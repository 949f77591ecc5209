import { lazy, Suspense, useState } from 'react'
import type { OwnLink } from '../../src/http/dashboard-api/types/link-types.ts'
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

const InviteMembersDialog = lazy(() => import('../workspaces/invite-members-dialog.tsx'))
const NewWorkspaceDialog = lazy(async () => ({
  default: (await import('../workspaces/new-workspace-dialog.tsx')).NewWorkspaceDialog,
}))
const AddDomainDialog = lazy(async () => ({
  default: (await import('../domains/add-domain-dialog.tsx')).AddDomainDialog,
}))
const NewLabelDialog = lazy(async () => ({
  default: (await import('../links/labels/new-label.tsx')).NewLabelDialog,
}))
const LinkLabelsDialog = lazy(() => import('./link-labels-dialog.tsx'))

type Opened =
  | { what: 'create'; form?: Partial<LinkForm> }
  | { what: 'bulk' | 'key' | 'invite' | 'members' | 'workspace' | 'domain' | 'tag' | 'folder' }
  /** The tags or the folder of a link. */
  | { what: 'labels'; kind: 'tags' | 'folders'; link: OwnLink }

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
      {opened?.what === 'members' && <InviteMembersDialog onClose={close} />}
      {opened?.what === 'workspace' && <NewWorkspaceDialog onClose={close} />}
      {opened?.what === 'domain' && <AddDomainDialog onClose={close} />}
      {opened?.what === 'tag' && <NewLabelDialog kind="tags" onClose={close} />}
      {opened?.what === 'folder' && <NewLabelDialog kind="folders" onClose={close} />}
      {opened?.what === 'labels' && <LinkLabelsDialog {...opened} onClose={close} />}
    </Suspense>
  </>
)
