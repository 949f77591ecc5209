import { BadgeCheck, Ban, KeyRound, type LucideIcon, RotateCcw, ShieldCheck, ShieldOff } from 'lucide-react'
import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { exactTime, fullNumber, relativeTime } from '../format.ts'
import { adminStrings } from './admin-strings.ts'
import type { UserActionName } from './user-actions.ts'

const { users: texts } = adminStrings

export type UserAct = 'reset-link' | UserActionName

type Acts = {
  /** With a mail server, users request reset links themselves. */
  sendsMail: boolean
  /** The operator who looks at the list. */
  ownId: number
  onAct: (act: UserAct, user: ManagedUserView) => void
}

export const userColumns = (acts: Acts): Column<ManagedUserView>[] => [
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
    label: texts.columns.workspaces,
    isNumber: true,
    cell: ({ workspaces }) => fullNumber(workspaces),
    skeleton: <Skeleton width={24} height={14} />,
  },
  {
    id: 'seen',
    head: texts.columns.seen,
    label: texts.columns.seen,
    cell: ({ last_signed_in_at: at }) => (
      <span className="soft" title={at ? exactTime(at) : undefined}>
        {at ? relativeTime(at) : texts.never}
      </span>
    ),
  },
  {
    id: 'state',
    head: texts.columns.state,
    label: texts.columns.state,
    cell: (user) => <State {...user} />,
    skeleton: <Skeleton width={64} height={20} />,
  },
  {
    id: 'menu',
    head: adminStrings.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (user) => <Menu label={adminStrings.menuOf(user.name)} items={menuOf(user, acts)} />,
    skeleton: <Skeleton width={20} height={20} />,
  },
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
