import { Ban, Gauge, RotateCcw, Search, UserX } from 'lucide-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminAccount, api } from '../api-client.ts'
import { exactTime, fullNumber, relativeTime, shortNumber } from '../format.ts'
import { Badge, Letter } from '../parts/badge.tsx'
import { Question } from '../parts/dialog.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { PageButtons } from '../parts/page-buttons.tsx'
import { Empty, Failed, sentenceOf } from '../parts/states.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useSettled } from '../use-settled.ts'
import { words } from '../words.ts'
import { PlanDialog } from './plan-dialog.tsx'

const { admin: texts } = words
const SETTLED_MS = 160
const ACCOUNTS = ['admin', 'accounts']

type Opened = { what: 'plan' | 'suspend'; account: AdminAccount }

export function AccountsTab() {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Opened>()
  const settled = useSettled(search, SETTLED_MS)
  const client = useQueryClient()
  const toast = useToast()
  const accounts = useQuery({
    queryKey: [...ACCOUNTS, settled, page],
    queryFn: () => api.adminAccounts({ search: settled || undefined, page }),
    placeholderData: keepPreviousData,
  })
  const suspension = useMutation({
    mutationFn: ({ id, is_suspended }: AdminAccount) =>
      api.adminEditAccount(id, { is_suspended: !is_suspended }),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    onSettled: () => {
      setOpened(undefined)
      return client.invalidateQueries({ queryKey: ACCOUNTS })
    },
  })
  const open = (what: Opened['what'], account: AdminAccount) => setOpened({ what, account })
  const close = () => setOpened(undefined)
  if (accounts.error !== null && accounts.data === undefined) {
    return (
      <div className="card">
        <Failed error={accounts.error} onRetry={() => void accounts.refetch()} />
      </div>
    )
  }
  return (
    <>
      <div className="list-tools" role="search">
        <span className="input-with">
          <Search size={16} aria-hidden />
          <input
            className="input"
            type="search"
            placeholder={texts.search}
            aria-label={texts.search}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setPage(1)
            }}
          />
        </span>
      </div>
      <div className="card">
        {accounts.data?.data.length === 0 ? (
          <Empty icon={UserX} title={texts.noneTitle} text={texts.none} />
        ) : (
          <Table
            caption={texts.tabs.accounts}
            columns={accountColumns(open, suspension.mutate)}
            rows={accounts.data?.data}
            keyOf={({ id }) => id}
          />
        )}
        {accounts.data && (
          <PageButtons label={texts.tabs.accounts} meta={accounts.data.meta} onPage={setPage} />
        )}
      </div>
      {opened?.what === 'plan' && <PlanDialog account={opened.account} onClose={close} />}
      {opened?.what === 'suspend' && (
        <Question
          title={texts.suspendTitle(opened.account.name)}
          text={texts.suspendText}
          action={texts.suspend}
          isBusy={suspension.isPending}
          onYes={() => suspension.mutate(opened.account)}
          onClose={close}
        />
      )}
    </>
  )
}

type Open = (what: Opened['what'], account: AdminAccount) => void

const accountColumns = (open: Open, lift: (account: AdminAccount) => void): Column<AdminAccount>[] => [
  {
    id: 'account',
    head: texts.columns.account,
    cell: ({ name, email }) => (
      <div className="link-cell">
        <Letter name={name} />
        <div className="link-texts">
          <strong className="cut">{name}</strong>
          <div className="hint cut">{email}</div>
        </div>
      </div>
    ),
    skeleton: <Skeleton width={200} height={36} />,
  },
  {
    id: 'plan',
    head: texts.columns.plan,
    label: texts.columns.plan,
    cell: ({ plan }) => <span style={{ textTransform: 'capitalize' }}>{plan}</span>,
    skeleton: <Skeleton width={48} height={14} />,
  },
  count('links', texts.columns.links, ({ links }) => links),
  count('clicks', texts.columns.clicks, ({ clicks }) => clicks),
  {
    id: 'seen',
    head: texts.columns.seen,
    label: texts.columns.seen,
    cell: ({ last_seen_at: at }) => (
      <span className="soft" title={at ? exactTime(at) : undefined}>
        {at ? relativeTime(at) : words.keys.never}
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
    cell: (account) => <Menu label={words.links.menuOf(account.name)} items={menuOf(account, open, lift)} />,
    skeleton: <Skeleton width={20} height={20} />,
  },
]

function count(id: string, head: string, value: (account: AdminAccount) => number): Column<AdminAccount> {
  return {
    id,
    head,
    label: head,
    isNumber: true,
    cell: (account) => <span title={fullNumber(value(account))}>{shortNumber(value(account))}</span>,
    skeleton: <Skeleton width={40} height={14} />,
  }
}

function State({ is_suspended, is_verified, is_operator }: AdminAccount) {
  if (is_suspended) return <Badge tone="bad">{texts.suspended}</Badge>
  if (!is_verified) return <Badge tone="warn">{texts.unverified}</Badge>
  return is_operator ? <Badge tone="data">{texts.operator}</Badge> : <Badge tone="ok">{texts.active}</Badge>
}

function menuOf(account: AdminAccount, open: Open, lift: (account: AdminAccount) => void): MenuItem[] {
  const suspend: MenuItem = account.is_suspended
    ? { label: texts.unsuspend, icon: RotateCcw, onSelect: () => lift(account) }
    : {
        label: texts.suspend,
        icon: Ban,
        isDanger: true,
        // Whoever runs the instance cannot shut themselves out.
        isDisabled: account.is_operator,
        onSelect: () => open('suspend', account),
      }
  return [
    { label: texts.edit, icon: Gauge, onSelect: () => open('plan', account) },
    { kind: 'line' },
    suspend,
  ]
}
