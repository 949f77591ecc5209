import { BadgeCheck, Ban, Gauge, KeyRound, type LucideIcon, RotateCcw } from 'lucide-react'
import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { exactTime, fullNumber, relativeTime, shortNumber } from '../format.ts'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import type { OrderName } from './confirm-action.tsx'

const { admin: texts } = lazyStrings

export type AccountAct = 'edit' | 'reset-link' | OrderName

type Acts = {
  /** With a mail server, users request reset links themselves. */
  sendsMail: boolean
  hasPlans: boolean
  /** The operator's own account. */
  ownId: number
  onAct: (act: AccountAct, account: ManagedAccountView) => void
}

const PLAN: Column<ManagedAccountView> = {
  id: 'plan',
  head: texts.columns.plan,
  label: texts.columns.plan,
  cell: ({ plan }) => <span className="plan-name">{plan}</span>,
  skeleton: <Skeleton width={48} height={14} />,
}

export const accountColumns = (acts: Acts): Column<ManagedAccountView>[] => [
  {
    id: 'account',
    head: texts.columns.account,
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
  ...(acts.hasPlans ? [PLAN] : []),
  {
    id: 'limit',
    head: texts.columns.limit,
    label: texts.columns.limit,
    isNumber: true,
    cell: ({ requests_per_hour: limit }) => (limit === null ? lazyStrings.keys.noLimit : fullNumber(limit)),
    skeleton: <Skeleton width={40} height={14} />,
  },
  count('links', texts.columns.links, ({ links }) => links),
  count('clicks', texts.columns.clicks, ({ clicks }) => clicks),
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
    cell: (account) => <State {...account} />,
    skeleton: <Skeleton width={64} height={20} />,
  },
  {
    id: 'menu',
    head: texts.columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (account) => <Menu label={texts.menuOf(account.name)} items={menuOf(account, acts)} />,
    skeleton: <Skeleton width={20} height={20} />,
  },
]

type Count = (account: ManagedAccountView) => number

function count(id: string, head: string, value: Count): Column<ManagedAccountView> {
  return {
    id,
    head,
    label: head,
    isNumber: true,
    cell: (account) => <span title={fullNumber(value(account))}>{shortNumber(value(account))}</span>,
    skeleton: <Skeleton width={40} height={14} />,
  }
}

const State = ({ is_suspended, is_verified, role, has_two_factor }: ManagedAccountView) => (
  <span className="badges">
    {is_suspended ? (
      <Badge tone="bad">{texts.suspended}</Badge>
    ) : !is_verified ? (
      <Badge tone="warn">{texts.unverified}</Badge>
    ) : role === 'admin' ? (
      <Badge tone="data">{texts.operator}</Badge>
    ) : (
      <Badge tone="ok">{texts.active}</Badge>
    )}
    {has_two_factor && <Badge>{texts.twoFactor}</Badge>}
  </span>
)

function menuOf(account: ManagedAccountView, { ownId, sendsMail, onAct }: Acts): MenuItem[] {
  const item = (act: AccountAct, label: string, icon: LucideIcon) => ({
    label,
    icon,
    onSelect: () => onAct(act, account),
  })
  const verify = account.is_verified ? [] : [item('verify', texts.verify, BadgeCheck)]
  const reset = sendsMail || account.role === 'admin' ? [] : [item('reset-link', texts.resetLink, KeyRound)]
  const order: MenuItem = account.is_suspended
    ? item('reinstate', texts.reinstate, RotateCcw)
    : {
        ...item('suspend', texts.suspend, Ban),
        isDanger: true,
        // Operators cannot suspend themselves.
        isDisabled: account.id === ownId,
      }
  return [item('edit', texts.edit, Gauge), ...verify, ...reset, { kind: 'line' }, order]
}
