import { Suspense, useState } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import type { Created } from '../links/create-and-copy.ts'
import { useCreatedToast } from '../links/created-toast.ts'
import type { LinkForm } from '../links/editor/link-form.ts'
import { LinkDialogs, type LinkActions, useLinkActions } from '../links/link-actions.tsx'
import { chunks, lazyFrom } from '../chunks/chunks.ts'

const CreatePanel = lazyFrom(chunks.editing, 'CreatePanel')
const BulkDialog = lazyFrom(chunks.editing, 'BulkDialog')
const NewKeyDialog = lazyFrom(chunks.management, 'NewKeyDialog')
const InviteDialog = lazyFrom(chunks.management, 'InviteDialog')

const InviteMembersDialog = lazyFrom(chunks.management, 'InviteMembersDialog')
const NewWorkspaceDialog = lazyFrom(chunks.management, 'NewWorkspaceDialog')
const AddDomainDialog = lazyFrom(chunks.management, 'AddDomainDialog')
const NewLabelDialog = lazyFrom(chunks.editing, 'NewLabelDialog')
const LinkLabelsDialog = lazyFrom(chunks.editing, 'LinkLabelsDialog')

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
