import { Suspense, useState } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { type Created, useCreatedToast } from '../links/new-link.ts'
import type { LinkForm } from '../links/editor/link-form.ts'
import { type LinkActions, LinkDialogs, useLinkActions } from '../links/link-actions.tsx'
import { editing, management } from '../chunks/chunks.ts'

type OpenDialog =
  | { what: 'create'; form?: Partial<LinkForm> }
  | { what: 'bulk' | 'key' | 'invite' | 'members' | 'workspace' | 'domain' | 'tag' | 'folder' }
  /** The tags or the folder of a link. */
  | { what: 'labels'; kind: 'tags' | 'folders'; link: OwnLink }

/** What the actions open, after the palette has closed. */
export type PaletteDialogs = {
  opened: OpenDialog | undefined
  open: (opened: OpenDialog) => void
  close: () => void
  onCreated: Created
  actions: LinkActions
}

export function usePaletteDialogs(): PaletteDialogs {
  const [opened, setOpened] = useState<OpenDialog>()
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
        <editing.CreatePanel firstUrl="" firstForm={opened.form} onCreated={onCreated} onClose={close} />
      )}
      {opened?.what === 'bulk' && <editing.BulkDialog firstText="" onClose={close} />}
      {opened?.what === 'key' && <management.NewKeyDialog onClose={close} />}
      {opened?.what === 'invite' && <management.InviteDialog onClose={close} />}
      {opened?.what === 'members' && <management.InviteMembersDialog onClose={close} />}
      {opened?.what === 'workspace' && <management.NewWorkspaceDialog onClose={close} />}
      {opened?.what === 'domain' && <management.AddDomainDialog onClose={close} />}
      {opened?.what === 'tag' && <editing.NewLabelDialog kind="tags" onClose={close} />}
      {opened?.what === 'folder' && <editing.NewLabelDialog kind="folders" onClose={close} />}
      {opened?.what === 'labels' && <editing.LinkLabelsDialog {...opened} onClose={close} />}
    </Suspense>
  </>
)
