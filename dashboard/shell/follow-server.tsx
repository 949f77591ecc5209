import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'
import { ask } from '../api-client.ts'
import { useIsAway } from '../connection.ts'
import { hearTabs } from '../other-tabs.ts'
import { SESSION, useSessionFollow } from '../use-session.ts'
import { words } from '../words.ts'

const LOOK_MS = 2_000

/** While the server is away it says so and looks for it; when it is back, or another tab changed something, all follows. */
export function FollowServer() {
  const client = useQueryClient()
  const isAway = useIsAway()
  const followSession = useSessionFollow()
  useEffect(
    () =>
      hearTabs((news) => {
        if (news === 'session') void followSession()
        else void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
      }),
    [client, followSession],
  )
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(() => void ask('GET /instance').catch(() => {}), LOOK_MS)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries()
    }
  }, [client, isAway])
  return (
    <div role="status">
      {isAway && (
        <p className="away-line">
          <CloudOff size={16} aria-hidden />
          {words.failure.away}
        </p>
      )}
    </div>
  )
}
