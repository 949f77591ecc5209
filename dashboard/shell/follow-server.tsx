import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ask } from '../api/api-client.ts'
import { useIsOffline } from '../api/request.ts'
import { onTabMessage } from '../other-tabs.ts'
import { useToast } from '../components/dialogs/toasts.tsx'
import { workspaceStrings } from '../workspaces/workspace-strings.ts'
import { isOfOwner, SESSION, useSession, useSessionFollow } from '../use-session.ts'

const POLL_MS = 2_000

const AWAY_TEXT = 'The server cannot be reached. This page continues when it is back.'

/** Says when the role in the open workspace has changed, and reads again what it may see. */
function useRoleFollow(): void {
  const client = useQueryClient()
  const toast = useToast()
  const workspace = useSession().data?.user?.workspace
  const before = useRef(workspace)
  useEffect(() => {
    const earlier = before.current
    const now = workspace
    before.current = now
    if (earlier === undefined || now === undefined || earlier.id !== now.id || earlier.role === now.role)
      return
    toast({ text: workspaceStrings.roleNow(workspaceStrings.roles[now.role]) })
    void client.invalidateQueries({ predicate: isOfOwner })
  }, [client, toast, workspace])
}

/** Shows when the server is unreachable, and retries. Reloads data when it is back or another tab has changed it. */
export default function FollowServer() {
  const client = useQueryClient()
  const isAway = useIsOffline()
  const followSession = useSessionFollow()
  useRoleFollow()
  useEffect(
    () =>
      onTabMessage((news) => {
        if (news === 'session') void followSession()
        else void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
      }),
    [client, followSession],
  )
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(() => void ask('GET /instance').catch(() => {}), POLL_MS)
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
          {AWAY_TEXT}
        </p>
      )}
    </div>
  )
}
