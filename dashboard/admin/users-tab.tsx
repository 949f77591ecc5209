import {
  BadgeCheck,
  Ban,
  KeyRound,
  type LucideIcon,
  RotateCcw,
  ShieldCheck,
  ShieldOff,
  UserX,
} from 'lucide-react'
import { useState } from 'react'
import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { adminStrings } from './admin-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { ManagedList } from './managed-list.tsx'
import { ConfirmAction, OPERATOR } from './confirm-action.tsx'
import { ConfirmDialog } from '../account/confirm-field.tsx'
import { ask, type OptionsOf } from '../api/api-client.ts'
import { OneTimeLink } from '../components/dialogs/secret-dialog.tsx'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, menuColumn } from '../components/table.tsx'
import { fullNumber } from '../format.ts'
import { Time } from '../components/time.tsx'

const { tabs, users: texts } = adminStrings

export function UsersTab() {
  const { user, instance } = useSignedIn()
  const [opened, setOpened] = useState<{ act: UserAct; of: ManagedUserView }>()
  const close = () => setOpened(undefined)
  const columns = userColumns({
    ownId: user.id,
    sendsMail: instance.sends_mail,
    onAct: (act, of) => setOpened({ act, of }),
  })
  return (
    <>
      <ManagedList
        caption={tabs.users}
        texts={texts}
        icon={UserX}
        route="GET /admin/users"
        columns={columns}
      />
      {opened && <ActDialog {...opened} onClose={close} />}
    </>
  )
}

type ActDialogProps = { act: UserAct; of: ManagedUserView; onClose: () => void }

function ActDialog({ act, of: user, onClose }: ActDialogProps) {
  if (act === 'reset-link') return <ResetLinkDialog user={user} onClose={onClose} />
  const path = { id: user.id }
  const about = act === 'verify' ? user.email : user.name
  const dialog = {
    title: texts.ask[act](about),
    text: texts.askText[act],
    action: texts.actions[act],
    said: texts.done[act](about),
    onClose,
  }
  const edit = (input: UserEdit) => ask('PUT /admin/users/{id}', { path, input })
  switch (act) {
    case 'promote':
    case 'demote': {
      const role = act === 'promote' ? 'admin' : 'user'
      // Operators can do everything.
      return <ConfirmDialog {...dialog} change={(password) => edit({ role, password })} rereads={OPERATOR} />
    }
    case 'verify':
      return <ConfirmAction {...dialog} run={() => edit({ is_verified: true })} />
    default:
      return <ConfirmAction {...dialog} run={() => ask(`POST /admin/users/{id}/${act}`, { path })} />
  }
}

type UserEdit = OptionsOf<'PUT /admin/users/{id}'>['input']

type ResetLinkDialogProps = { user: ManagedUserView; onClose: () => void }

/** Asks the operator to prove who they are, then shows the reset link. */
function ResetLinkDialog({ user: { id, name }, onClose }: ResetLinkDialogProps) {
  const [made, setMade] = useState<{ email: string; link: string }>()
  if (made === undefined) {
    return (
      <ConfirmDialog
        title={adminStrings.resetLinkTitle}
        text={adminStrings.resetLinkAsk(name)}
        action={adminStrings.resetLink}
        change={(password) => ask('POST /admin/users/{id}/reset-link', { path: { id }, input: { password } })}
        onDone={({ data }) => setMade(data)}
        onClose={onClose}
      />
    )
  }
  return (
    <OneTimeLink
      title={adminStrings.resetLinkTitle}
      text={adminStrings.resetLinkText(made.email)}
      link={made.link}
      onClose={onClose}
    />
  )
}

type UserActionName = keyof typeof texts.actions
type UserAct = 'reset-link' | UserActionName

type Acts = {
  /** With a mail server, users request reset links themselves. */
  sendsMail: boolean
  /** The operator who looks at the list. */
  ownId: number
  onAct: (act: UserAct, user: ManagedUserView) => void
}

const userColumns = (acts: Acts): Column<ManagedUserView>[] => [
  {
    id: 'user',
    head: texts.columns.user,
    cell: ({ name, email }) => (
      <div className="link-cell">
        <InitialBadge name={name} />
        <div className="link-texts">
          <strong className="cut">{name}</strong>
          <div className="hint cut" title={email}>
            {email}
          </div>
        </div>
      </div>
    ),
    skeleton: <Skeleton width={200} height={36} />,
  },
  {
    id: 'workspaces',
    head: texts.columns.workspaces,
    isNumber: true,
    cell: ({ workspaces }) => fullNumber(workspaces),
    skeleton: <Skeleton width={24} height={14} />,
  },
  {
    id: 'seen',
    head: texts.columns.seen,
    cell: ({ last_signed_in_at: at }) => <Time at={at} none={texts.never} />,
  },
  {
    id: 'state',
    head: texts.columns.state,
    cell: (user) => <State {...user} />,
    skeleton: <Skeleton width={64} height={20} />,
  },
  menuColumn({
    head: adminStrings.menu,
    cell: (user) => <Menu label={adminStrings.menuOf(user.name)} items={menuOf(user, acts)} />,
  }),
]

const State = ({ is_suspended, is_verified, role, has_two_factor }: ManagedUserView) => (
  <span className="badges">
    {is_suspended ? (
      <Badge tone="bad">{adminStrings.suspended}</Badge>
    ) : is_verified ? (
      <Badge tone="ok">{adminStrings.active}</Badge>
    ) : (
      <Badge tone="warn">{texts.unverified}</Badge>
    )}
    {role === 'admin' && <Badge tone="data">{texts.operator}</Badge>}
    {has_two_factor && <Badge>{texts.twoFactor}</Badge>}
  </span>
)

function menuOf(user: ManagedUserView, { ownId, sendsMail, onAct }: Acts): MenuItem[] {
  const item = (act: UserAct, label: string, icon: LucideIcon) => ({
    label,
    icon,
    onSelect: () => onAct(act, user),
  })
  const action = (act: UserActionName, icon: LucideIcon) => item(act, texts.actions[act], icon)
  const isOperator = user.role === 'admin'
  const suspend: MenuItem = user.is_suspended
    ? action('reinstate', RotateCcw)
    : {
        ...action('suspend', Ban),
        isDanger: true,
        // Operators cannot suspend themselves.
        isDisabled: user.id === ownId,
      }
  return [
    ...(user.is_verified ? [] : [action('verify', BadgeCheck)]),
    ...(sendsMail || isOperator ? [] : [item('reset-link', adminStrings.resetLink, KeyRound)]),
    isOperator ? action('demote', ShieldOff) : action('promote', ShieldCheck),
    { kind: 'line' },
    suspend,
  ]
}
