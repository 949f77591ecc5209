import { Ban, KeyRound, Plus } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type ApiKey, type Usage } from '../api-client.ts'
import { exactTime, fullNumber, pointLabel, relativeTime } from '../format.ts'
import { NewKeyDialog } from '../account/new-key-dialog.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { DataCard } from '../parts/card.tsx'
import { Question } from '../parts/dialog.tsx'
import { Menu } from '../parts/menu.tsx'
import { Empty, Failed, Progress, sentenceOf } from '../parts/states.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useToast } from '../parts/toasts.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const KEYS = ['keys']
const { columns } = words.keys

export default function KeysPage() {
  useTitle(words.keys.title)
  const keys = useQuery({ queryKey: KEYS, queryFn: async () => (await api.keys()).data })
  const usage = useQuery({ queryKey: ['usage'], queryFn: async () => (await api.usage()).data })
  const [isNewOpen, setNewOpen] = useState(false)
  const [asked, setAsked] = useState<ApiKey>()
  const client = useQueryClient()
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => api.revokeKey(id),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    onSettled: () => {
      setAsked(undefined)
      return client.invalidateQueries({ queryKey: KEYS })
    },
  })
  const newKey = (
    <Button look="primary" icon={Plus} onClick={() => setNewOpen(true)}>
      {words.keys.new}
    </Button>
  )
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.keys.title}</h1>
        {keys.data?.length !== 0 && newKey}
      </div>
      <div className="card">
        {keys.error !== null && keys.data === undefined ? (
          <Failed error={keys.error} onRetry={() => void keys.refetch()} />
        ) : keys.data?.length === 0 ? (
          <Empty icon={KeyRound} title={words.keys.emptyTitle} text={words.keys.empty}>
            {newKey}
          </Empty>
        ) : (
          <Table
            caption={words.keys.title}
            columns={keyColumns(setAsked)}
            rows={keys.data}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        )}
      </div>
      {keys.data?.length !== 0 && <UsageCard usage={usage.data} />}
      {isNewOpen && <NewKeyDialog onClose={() => setNewOpen(false)} />}
      {asked && (
        <Question
          title={words.keys.revokeTitle(asked.name)}
          text={words.keys.revokeText}
          action={words.keys.revoke}
          isBusy={revoke.isPending}
          onYes={() => revoke.mutate(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

const keyColumns = (onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    id: 'name',
    head: columns.name,
    cell: ({ name, is_active }) => (
      <span className="actions">
        <strong>{name}</strong>
        {!is_active && <Badge tone="bad">{words.keys.revoked}</Badge>}
      </span>
    ),
  },
  {
    id: 'key',
    head: columns.key,
    label: columns.key,
    cell: ({ key }) => <span className="code soft">{shortMask(key)}</span>,
  },
  {
    id: 'scopes',
    head: columns.scopes,
    label: columns.scopes,
    cell: ({ permissions }) => <span className="soft">{scopesText(permissions)}</span>,
  },
  {
    id: 'usage',
    head: columns.usage,
    label: columns.usage,
    cell: (key) =>
      key.is_active ? (
        <div style={{ minWidth: 120 }}>
          <span className="hint">
            {words.keys.usageOf(fullNumber(key.current_usage), fullNumber(key.rate_limit))}
          </span>
          <Progress label={`${columns.usage}: ${key.name}`} value={key.current_usage} max={key.rate_limit} />
        </div>
      ) : (
        <span className="soft">–</span>
      ),
  },
  {
    id: 'last-used',
    head: columns.lastUsed,
    label: columns.lastUsed,
    cell: ({ last_used_at: at }) =>
      at === null ? (
        <span className="soft">{words.keys.never}</span>
      ) : (
        <time className="soft" dateTime={at} title={exactTime(at)}>
          {relativeTime(at)}
        </time>
      ),
  },
  {
    id: 'menu',
    head: columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (key) =>
      key.is_active && (
        <Menu
          label={words.links.menuOf(key.name)}
          items={[{ label: words.keys.revoke, icon: Ban, isDanger: true, onSelect: () => onRevoke(key) }]}
        />
      ),
    skeleton: <Skeleton width={20} height={20} />,
  },
]

const MASK_CHARS = 14
/** The asterisks say nothing; a few of them say that too. */
const shortMask = (key: string) => (key.length > MASK_CHARS ? `${key.slice(0, MASK_CHARS)}…` : key)

/** `links:write` includes the narrower grant, which would be said twice. */
function scopesText(permissions: string[]): string {
  const shown = permissions.filter(
    (scope) => scope !== 'links:create' || !permissions.includes('links:write'),
  )
  return shown.map((scope) => words.keys.scopeShort[scope] ?? scope).join(', ')
}

function UsageCard({ usage }: { usage: Usage | undefined }) {
  const days = usage?.daily_usage ?? []
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const table = usage && {
    heads: [words.chart.time, words.keys.requests('').trim()],
    rows: days.map(({ date, requests }) => [date, requests]),
  }
  return (
    <DataCard title={words.keys.usage} fileName="api-requests" table={table}>
      <div
        className="usage-bars"
        role="img"
        aria-label={words.keys.requests(fullNumber(usage?.monthly_usage ?? 0))}
      >
        {days.map(({ date, requests }) => (
          <div
            key={date}
            className={requests === 0 ? 'is-none' : ''}
            style={{ height: `${(requests / most) * 100}%` }}
            title={`${pointLabel(date)}: ${words.keys.requests(fullNumber(requests))}`}
          />
        ))}
      </div>
      <p className="hint usage-scale">
        <span>{days[0] && pointLabel(days[0].date)}</span>
        <span>{words.keys.requests(fullNumber(usage?.monthly_usage ?? 0))}</span>
        <span>{days[0] && pointLabel(days.at(-1)!.date)}</span>
      </p>
    </DataCard>
  )
}
