import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { KeyView, UsageView } from '../../src/http/endpoints/browser-types.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { Empty, Failed, Progress } from '../components/states.tsx'
import { type Column, ListCard, menuColumn } from '../components/table.tsx'
import { useChange } from '../api/use-change.ts'
import { useData } from '../api/use-data.ts'
import { useSignedIn } from '../use-session.ts'
import { keyStrings } from './key-strings.ts'
import './keys.css'
import { fullNumber, timeOfDay } from '../format.ts'
import { pointLabel } from '../later-format.ts'
import { Badge } from '../components/badge.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { restrictionTexts } from './key-limits.tsx'
import { Page } from '../components/page.tsx'
import { Time } from '../components/time.tsx'
import { DataCard } from '../components/card.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { chartStrings } from '../components/charts/chart-strings.ts'

const KEYS = ['keys']

export default function KeysPage() {
  const keys = useData('GET /keys')
  // Loaded together with the keys, although it renders after them.
  useData('GET /usage')
  const [isNewOpen, setNewOpen] = useState(false)
  const [revoking, setRevoking] = useState<KeyView>()
  const isEmpty = keys.data?.length === 0
  const { user } = useSignedIn()
  // Somebody who has always been alone made all of them.
  const isMadeByShown =
    user.workspace.members > 1 || keys.data?.some(({ created_by: by }) => by?.id !== user.id) === true
  return (
    <Page
      title={keyStrings.title}
      action={
        <Button variant="primary" icon={Plus} onClick={() => setNewOpen(true)}>
          {keyStrings.new}
        </Button>
      }
    >
      <ListCard
        query={keys}
        empty={<Empty icon={KeyRound} title={keyStrings.emptyTitle} text={keyStrings.empty} />}
        caption={keyStrings.title}
        columns={keyColumns({ isMadeByShown, onRevoke: setRevoking })}
        rows={keys.data && inOrder(keys.data)}
        keyOf={({ id }) => id}
        skeletonRows={3}
      />
      {/* Below the keys only when they are there: otherwise they would push it down. */}
      {keys.data && !isEmpty && <UsageCard />}
      {isNewOpen && <NewKeyDialog onClose={() => setNewOpen(false)} />}
      {revoking && <RevokeQuestion apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

/** Active keys first, then by creation, newest first. */
const inOrder = (keys: KeyView[]) =>
  keys.toSorted((one, other) => Number(one.is_revoked) - Number(other.is_revoked) || other.id - one.id)

function RevokeQuestion({ apiKey: { id, name }, onClose }: { apiKey: KeyView; onClose: () => void }) {
  const revoke = useChange(() => ask('DELETE /keys/{id}', { path: { id } }), {
    said: keyStrings.revokedNow(name),
    rereads: [KEYS],
    rereadsAfterFailure: true,
  })
  return (
    <Question
      title={keyStrings.revokeTitle(name)}
      text={keyStrings.revokeText}
      action={keyStrings.revoke}
      onYes={() => revoke.mutateAsync()}
      onClose={onClose}
    />
  )
}

const { columns } = keyStrings

type KeyColumns = { isMadeByShown: boolean; onRevoke: (key: KeyView) => void }

const keyColumns = ({ isMadeByShown, onRevoke }: KeyColumns): Column<KeyView>[] => [
  {
    id: 'name',
    head: columns.name,
    cell: ({ name, restrictions, is_revoked: isRevoked }) => (
      <span className="actions">
        <strong>{name}</strong>
        {restrictions && <Badge tone="plain">{keyStrings.isPublic}</Badge>}
        {isRevoked && <Badge tone="bad">{keyStrings.revoked}</Badge>}
      </span>
    ),
  },
  {
    id: 'key',
    head: columns.key,
    cell: ({ key_hint: hint }) =>
      hint === null ? (
        <span className="soft">{keyStrings.hintless}</span>
      ) : (
        <span className="code soft key-hint">{hint}</span>
      ),
  },
  {
    id: 'scopes',
    head: columns.scopes,
    cell: (key) => <Grants {...key} />,
  },
  ...(isMadeByShown ? [MADE_BY] : []),
  {
    id: 'usage',
    head: columns.usage,
    cell: (key) => (key.is_revoked ? <span className="soft">–</span> : <WindowUsage apiKey={key} />),
  },
  {
    id: 'last-used',
    head: columns.lastUsed,
    cell: ({ last_used_at: at }) => <Time at={at} none={keyStrings.never} />,
  },
  menuColumn({
    head: columns.menu,
    cell: (key) =>
      !key.is_revoked && (
        <Menu
          label={keyStrings.menuOf(key.name)}
          items={[{ label: keyStrings.revoke, icon: Ban, isDanger: true, onSelect: () => onRevoke(key) }]}
        />
      ),
  }),
]

const MADE_BY: Column<KeyView> = {
  id: 'made-by',
  head: columns.madeBy,
  cell: ({ created_by: by }) => <span className="soft key-maker">{by?.name ?? keyStrings.deletedUser}</span>,
}

/** How much in a word or two, and all of it on demand. */
function Grants({ scopes, restrictions }: KeyView) {
  const names = namesOf(scopes)
  if (restrictions || names.length < 2) {
    const texts = [...names, ...(restrictions ? restrictionTexts(restrictions) : [])]
    return <span className="soft key-grants">{texts.join(', ')}</span>
  }
  return (
    <details className="key-grants">
      <summary>{grantText(scopes, names.length)}</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  )
}

function grantText(scopes: readonly string[], count: number): string {
  if (Object.keys(keyStrings.scope).every((scope) => scopes.includes(scope))) return keyStrings.fullAccess
  if (scopes.every((scope) => scope.endsWith(':read'))) return keyStrings.readOnly
  return keyStrings.permissions(fullNumber(count))
}

/** Requests of the current hour, which the first one starts. */
function WindowUsage({ apiKey }: { apiKey: KeyView }) {
  const { name, current_usage: used, rate_limit: limit, reset_at: resetAt } = apiKey
  const usage =
    limit === null
      ? keyStrings.unlimited(keyStrings.requestsOf(fullNumber(used)))
      : keyStrings.usageOf(fullNumber(used), fullNumber(limit))
  return (
    <div className="window-usage">
      <span className="hint">
        {usage}
        {resetAt !== null && keyStrings.renewed(timeOfDay(resetAt))}
      </span>
      {limit !== null && <Progress label={`${columns.usage}: ${name}`} value={used} max={limit} />}
    </div>
  )
}

/** `links:write` includes `links:create`, which is not listed again. */
const namesOf = (scopes: readonly string[]): string[] =>
  scopes
    .filter((scope) => scope !== 'links:create' || !scopes.includes('links:write'))
    .map((scope) => keyStrings.scopeShort[scope] ?? scope)

const BARS_HEIGHT = 72

/** Requests of all keys in the last 30 days. */
function UsageCard() {
  const usage = useData('GET /usage')
  const days = usage.data?.days
  const table = days && {
    heads: [chartStrings.time, keyStrings.requests],
    rows: days.map(({ date, requests }) => [date, requests]),
  }
  return (
    <DataCard title={keyStrings.usage} fileName="api-requests" table={table}>
      {usage.data ? (
        <UsageBars {...usage.data} />
      ) : usage.error ? (
        <Failed what={keyStrings.usage} query={usage} />
      ) : (
        <Skeleton width="100%" height={BARS_HEIGHT + 28} />
      )}
    </DataCard>
  )
}

function UsageBars({ days, last_thirty_days: total }: UsageView) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const summary = keyStrings.requestsOf(fullNumber(total))
  return (
    <>
      <div className="usage-bars" role="img" aria-label={`${keyStrings.usage}: ${summary}`}>
        {days.map(({ date, requests }) => (
          <div
            key={date}
            className={requests === 0 ? 'is-none' : ''}
            style={{ height: `${(requests / most) * 100}%` }}
            title={`${pointLabel(date)}: ${keyStrings.requestsOf(fullNumber(requests))}`}
          />
        ))}
      </div>
      <p className="hint usage-scale">
        <span>{pointLabel(days[0]!.date)}</span>
        <span>{summary}</span>
        <span>{pointLabel(days.at(-1)!.date)}</span>
      </p>
    </>
  )
}
