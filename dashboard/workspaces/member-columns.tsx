import { ShieldAlert, ShieldCheck, UserRoundMinus, UserRoundPen } from 'lucide-react'
import type { DataOf } from '../api/api-client.ts'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Select } from '../components/fields/field.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { Time } from '../components/time.tsx'

const { members: texts, roles } = workspaceStrings

export type MemberRow = DataOf<'GET /members'>[number]
export type Role = MemberRow['role']

export type MemberActions = {
  ownId: number
  /** Owners make and change owners. */
  isOwner: boolean
  owners: number
  isFactorRequired: boolean
  onRole: (member: MemberRow, role: Role) => void
  onRemove: (member: MemberRow) => void
}

export const memberColumns = (actions: MemberActions): Column<MemberRow>[] => [
  {
    id: 'member',
    head: texts.columns.member,
    cell: (member) => <MemberName member={member} isOwn={member.id === actions.ownId} />,
    skeleton: <Skeleton width={220} height={32} />,
  },
  {
    id: 'role',
    head: texts.columns.role,
    cell: (member) => <RoleCell member={member} actions={actions} />,
  },
  {
    id: 'factor',
    head: texts.columns.twoFactor,
    cell: ({ has_two_factor: hasFactor }) =>
      hasFactor ? (
        <Badge tone="ok" icon={ShieldCheck}>
          {texts.on}
        </Badge>
      ) : actions.isFactorRequired ? (
        <Badge tone="warn" icon={ShieldAlert}>
          {texts.required}
        </Badge>
      ) : (
        <span className="soft">{texts.off}</span>
      ),
  },
  {
    id: 'active',
    head: texts.columns.active,
    cell: ({ last_active_at: at }) => <Time at={at} none={texts.never} />,
  },
  {
    id: 'menu',
    head: texts.columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (member) => <MemberMenu member={member} actions={actions} />,
    skeleton: null,
  },
]

const MemberName = ({ member, isOwn }: { member: MemberRow; isOwn: boolean }) => (
  <div className="member-cell">
    <InitialBadge name={member.name} shape="round" />
    <span className="names">
      <span>
        <strong className="cut">{member.name}</strong>
        {isOwn && <Badge>{texts.you}</Badge>}
      </span>
      <small className="cut">{member.email}</small>
    </span>
  </div>
)

type CellProps = { member: MemberRow; actions: MemberActions }

const CHOICES: Role[] = ['viewer', 'editor', 'admin']

/** Text where it cannot be changed. */
function RoleCell({ member, actions }: CellProps) {
  const isLastOwner = member.role === 'owner' && actions.owners === 1
  if (isLastOwner || (member.role === 'owner' && !actions.isOwner)) {
    return <span title={isLastOwner ? texts.needsOwner : undefined}>{roles[member.role]}</span>
  }
  const choices = actions.isOwner ? [...CHOICES, 'owner' as const] : CHOICES
  return (
    <Select
      size="small"
      aria-label={texts.roleOf(member.name)}
      choices={choices.map((role) => ({ value: role, label: roles[role] }))}
      value={member.role}
      onChoice={(role) => actions.onRole(member, role)}
    />
  )
}

function MemberMenu({ member, actions }: CellProps) {
  const isOwner = member.role === 'owner'
  if (member.id === actions.ownId || (isOwner && !actions.isOwner)) return null
  const promotion = {
    label: texts.makeOwner,
    icon: UserRoundPen,
    onSelect: () => actions.onRole(member, 'owner'),
  }
  return (
    <Menu
      label={texts.menuOf(member.name)}
      items={[
        ...(actions.isOwner && !isOwner ? [promotion] : []),
        {
          label: texts.remove,
          icon: UserRoundMinus,
          isDanger: true,
          onSelect: () => actions.onRemove(member),
        },
      ]}
    />
  )
}
