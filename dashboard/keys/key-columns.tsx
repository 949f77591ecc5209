import { Ban } from 'lucide-react'
import type { KeyView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { exactTime, fullNumber, relativeTime, timeOfDay } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { Progress } from '../parts/states.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { Column } from '../parts/table.tsx'
import { laterWords } from '../later-words.ts'

const { columns } = laterWords.keys

export const keyColumns = (onRevoke: (key: KeyView) => void): Column<KeyView>[] => [
  {
    id: 'name',
    head: columns.name,
    cell: ({ name, is_revoked: isRevoked }) => (
      <span className="actions">
        <strong>{name}</strong>
        {isRevoked && <Badge tone="bad">{laterWords.keys.revoked}</Badge>}
      </span>
    ),
  },
  {
    id: 'key',
    head: columns.key,
    label: columns.key,
    cell: ({ key_hint: hint }) =>
      hint === null ? (
        <span className="soft">{laterWords.keys.hintless}</span>
      ) : (
        <span className="code soft">{hint}</span>
      ),
  },
  {
    id: 'scopes',
    head: columns.scopes,
    label: columns.scopes,
    cell: ({ scopes }) => <span className="soft">{scopesText(scopes)}</span>,
  },
  {
    id: 'usage',
    head: columns.usage,
    label: columns.usage,
    cell: (key) => (key.is_revoked ? <span className="soft">–</span> : <WindowUsage apiKey={key} />),
  },
  {
    id: 'last-used',
    head: columns.lastUsed,
    label: columns.lastUsed,
    cell: ({ last_used_at: at }) =>
      at === null ? (
        <span className="soft">{laterWords.keys.never}</span>
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
      !key.is_revoked && (
        <Menu
          label={laterWords.keys.menuOf(key.name)}
          items={[
            { label: laterWords.keys.revoke, icon: Ban, isDanger: true, onSelect: () => onRevoke(key) },
          ]}
        />
      ),
    skeleton: <Skeleton width={20} height={20} />,
  },
]

/** Of the hour that its first request opened. */
function WindowUsage({ apiKey }: { apiKey: KeyView }) {
  const { name, current_usage: used, rate_limit: limit, reset_at: resetAt } = apiKey
  const usage =
    limit === null
      ? laterWords.keys.requestsOf(fullNumber(used))
      : laterWords.keys.usageOf(fullNumber(used), fullNumber(limit))
  return (
    <div className="window-usage">
      <span className="hint">
        {usage}
        {resetAt !== null && laterWords.keys.renewed(timeOfDay(resetAt))}
      </span>
      {limit !== null && <Progress label={`${columns.usage}: ${name}`} value={used} max={limit} />}
    </div>
  )
}

/** `links:write` includes the narrower grant, which would be said twice. */
const scopesText = (scopes: string[]): string =>
  scopes
    .filter((scope) => scope !== 'links:create' || !scopes.includes('links:write'))
    .map((scope) => laterWords.keys.scopeShort[scope] ?? scope)
    .join(', ')
