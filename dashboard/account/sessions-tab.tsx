import { MonitorSmartphone } from 'lucide-react'
import { api } from '../api-client.ts'
import { exactTime, relativeTime } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Failed, FormFailure } from '../parts/states.tsx'
import { words } from '../words.ts'
import { useAccountChange, useSessions } from './account-queries.ts'

const { account: texts } = words

export function SessionsTab() {
  const { data: sessions, error, refetch } = useSessions()
  const end = useAccountChange(api.endSession)
  const endOthers = useAccountChange(api.endOtherSessions, texts.signedOutAll)
  if (error !== null && sessions === undefined) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <Card
      title={texts.sessions}
      actions={
        sessions !== undefined &&
        sessions.length > 1 && (
          <Button
            size="small"
            look="danger"
            isBusy={endOthers.isPending}
            onClick={() => endOthers.mutate(undefined)}
          >
            {texts.signOutAll}
          </Button>
        )
      }
    >
      <FormFailure error={end.error ?? endOthers.error} />
      <ul className="rows" aria-busy={sessions === undefined}>
        {sessions === undefined ? (
          <li>
            <Skeleton width={260} height={42} />
          </li>
        ) : (
          sessions.map(({ id, device, is_current: isCurrent, last_used_at: usedAt }) => (
            <li key={id}>
              <MonitorSmartphone size={18} aria-hidden />
              <div>
                <strong>{device}</strong>
                <div className="hint" title={exactTime(usedAt)}>
                  {texts.lastUsed(relativeTime(usedAt))}
                </div>
              </div>
              {isCurrent ? (
                <Badge tone="ok">{texts.thisOne}</Badge>
              ) : (
                <Button
                  size="small"
                  aria-label={`${texts.signOutOne}: ${device}`}
                  isBusy={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  {texts.signOutOne}
                </Button>
              )}
            </li>
          ))
        )}
      </ul>
    </Card>
  )
}
