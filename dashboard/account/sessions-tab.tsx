import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { SessionView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { relativeTime } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { FormFailure } from '../components/states.tsx'
import { useChange } from '../api/use-change.ts'
import { useSessionChange } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { ACCOUNT } from './confirm-field.tsx'
import { useData } from '../api/use-data.ts'
import { RowList } from '../components/row-list.tsx'

export function SessionsTab() {
  const query = useData('GET /sessions')
  const { data: sessions } = query
  const [isAsking, setAsking] = useState(false)
  return (
    <Card
      title={accountStrings.sessions}
      query={query}
      actions={
        <Button size="small" variant="danger" icon={LogOut} onClick={() => setAsking(true)}>
          {accountStrings.signOutAll}
        </Button>
      }
    >
      {sessions === undefined ? <Skeleton width={260} height={42} /> : <SessionList sessions={sessions} />}
      {isAsking && <SignOutAllQuestion onClose={() => setAsking(false)} />}
    </Card>
  )
}

function SessionList({ sessions }: { sessions: SessionView[] }) {
  const end = useChange(({ id }: SessionView) => ask('DELETE /sessions/{id}', { path: { id } }), {
    said: (_, { device }) => accountStrings.signedOutOne(device),
    rereads: ACCOUNT,
  })
  return (
    <>
      <FormFailure error={end.error} />
      <RowList
        label={accountStrings.sessions}
        icon={MonitorSmartphone}
        rows={sessions.map((session) => ({
          id: session.id,
          name: session.device,
          hint: accountStrings.signedIn(relativeTime(session.created_at), relativeTime(session.last_used_at)),
          at: session.last_used_at,
          action: session.is_this_one ? (
            <Badge tone="ok">{accountStrings.thisOne}</Badge>
          ) : (
            <Button
              size="small"
              aria-label={`${accountStrings.signOutOne}: ${session.device}`}
              isBusy={end.isPending && end.variables.id === session.id}
              onClick={() => end.mutate(session)}
            >
              {accountStrings.signOutOne}
            </Button>
          ),
        }))}
      />
    </>
  )
}

function SignOutAllQuestion({ onClose }: { onClose: () => void }) {
  const signOut = useChange(() => ask('DELETE /sessions'), {
    said: accountStrings.signedOutAll,
    onSuccess: useSessionChange(),
  })
  return (
    <Question
      title={accountStrings.signOutAll}
      text={accountStrings.signOutAllText}
      action={accountStrings.signOutAll}
      onYes={() => signOut.mutateAsync()}
      onClose={onClose}
    />
  )
}
