import { Check, ChevronsUpDown, Plus, SlidersHorizontal, UserPlus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, use, useState } from 'react'
import { useLocation } from 'wouter'
import type { MeView } from '../../src/http/endpoints/browser-types.ts'
import { InitialBadge } from '../components/badge.tsx'
import { Logo } from '../components/logo.tsx'
import { FloatingRoot } from '../components/pickers/floating-root.ts'
import { workspaceStrings as texts } from './workspace-strings.ts'
import { useSignedIn, useWorkspaceChange } from '../use-session.ts'
import './workspaces.css'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { ask } from '../api/api-client.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { useChange } from '../api/use-change.ts'

/** As many as there are keys. */
const KEYED_MAX = 9

/** Which workspace this tab works in, and the others. Keys 1 to 9 choose while it is open. */
export default function WorkspaceSwitcher() {
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const choose = useChoice()
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    const workspace = /^[1-9]$/.test(key) ? user.workspaces[Number(key) - 1] : undefined
    if (workspace === undefined || ctrlKey || metaKey || altKey) return
    setOpen(false)
    void choose(workspace)
  }
  return (
    <>
      <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
        <DropdownMenu.Trigger className="switcher">
          <Logo />
          <span className="only-spoken">{texts.current}</span>
          <span className="cut">{user.workspace.name}</span>
          <ChevronsUpDown size={15} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal container={use(FloatingRoot)}>
          <DropdownMenu.Content
            className="menu switcher-menu"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-label={texts.workspaces}
            onKeyDown={onKeyDown}
          >
            <DropdownMenu.Label className="switcher-label">{texts.workspaces}</DropdownMenu.Label>
            {user.workspaces.map((workspace, at) => (
              <WorkspaceItem
                key={workspace.id}
                workspace={workspace}
                isCurrent={workspace.id === user.workspace.id}
                shortcut={at < KEYED_MAX ? String(at + 1) : undefined}
                onSelect={() => void choose(workspace)}
              />
            ))}
            <DropdownMenu.Separator className="menu-line" />
            <Item icon={<Plus size={16} aria-hidden />} onSelect={() => setCreating(true)}>
              {texts.newWorkspace}
            </Item>
            {user.can.includes('members:manage') && (
              <Item icon={<UserPlus size={16} aria-hidden />} onSelect={() => navigate('/members?invite')}>
                {texts.invite}
              </Item>
            )}
            <Item icon={<SlidersHorizontal size={16} aria-hidden />} onSelect={() => navigate('/settings')}>
              {texts.settings}
            </Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isCreating && <NewWorkspaceDialog onClose={() => setCreating(false)} />}
    </>
  )
}

type Workspace = MeView['workspace']

/** The page of a link of another workspace would not be found. */
function useChoice(): (workspace: Workspace) => Promise<void> {
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const onError = useErrorToast()
  return async ({ id }) => {
    if (id === user.workspace.id) return
    try {
      await change(id)
      navigate('/')
    } catch (error) {
      onError(error)
    }
  }
}

type ItemProps = { icon: ReactNode; onSelect: () => void; children: string }

const Item = ({ icon, onSelect, children }: ItemProps) => (
  <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
    {icon}
    <span>{children}</span>
  </DropdownMenu.Item>
)

type WorkspaceItemProps = {
  workspace: Workspace
  isCurrent: boolean
  shortcut: string | undefined
  onSelect: () => void
}

const WorkspaceItem = ({ workspace, isCurrent, shortcut, onSelect }: WorkspaceItemProps) => (
  <DropdownMenu.Item
    className="menu-item switcher-item"
    onSelect={onSelect}
    {...(isCurrent && { 'aria-current': 'true' as const })}
    {...(shortcut && { 'aria-keyshortcuts': shortcut })}
  >
    <InitialBadge name={workspace.name} />
    <span className="names">
      <strong className="cut">{workspace.name}</strong>
      <small className="cut">{texts.standing(texts.roles[workspace.role], workspace.members)}</small>
    </span>
    {isCurrent ? <Check size={16} aria-hidden /> : shortcut && <kbd aria-hidden>{shortcut}</kbd>}
  </DropdownMenu.Item>
)

/** Creates a workspace and goes there. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ name: '' })
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const creation = useChange(
    async () => change((await ask('POST /workspaces', { input: { name: values.name.trim() } })).data.id),
    {
      onSuccess: () => {
        onClose()
        navigate('/')
      },
    },
  )
  return (
    <FormDialog title={texts.newWorkspace} action={texts.createWorkspace} change={creation} onClose={onClose}>
      <p>{texts.newWorkspaceText}</p>
      <TextField label={texts.name} autoComplete="organization" {...field('name')} autoFocus />
    </FormDialog>
  )
}
