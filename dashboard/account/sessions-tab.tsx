import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { relativeTime } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Failed, FormFailure, hasFailed, sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useSessionChange } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { useAccountChange, useSessions } from './account-queries.ts'
import { RowList } from '../components/row-list.tsx'

export function SessionsTab() {
  const query = useSessions()
  const { data: sessions } = query
  const [isAsking, setAsking] = useState(false)
  if (hasFailed(query)) {
    return (
      <Card title={accountStrings.sessions}>
        <Failed what={accountStrings.sessions} query={query} />
      </Card>
    )
  }
  return (
    <Card
      title={accountStrings.sessions}
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
  const toast = useToast()
  const end = useAccountChange(({ id }: SessionView) => ask('DELETE /sessions/{id}', { path: { id } }))
  const signOut = (session: SessionView) =>
    end.mutate(session, { onSuccess: () => toast({ text: accountStrings.signedOutOne(session.device) }) })
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
              onClick={() => signOut(session)}
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
  const toast = useToast()
  const onChanged = useSessionChange()
  const signOut = useMutation({
    mutationFn: () => ask('DELETE /sessions'),
    onSuccess: () => {
      toast({ text: accountStrings.signedOutAll })
      return onChanged()
    },
    onError: (error) => {
      toast({ tone: 'bad', text: sentenceOf(error) })
      onClose()
    },
  })
  return (
    <Question
      title={accountStrings.signOutAll}
      text={accountStrings.signOutAllText}
      action={accountStrings.signOutAll}
      isBusy={signOut.isPending}
      onYes={() => signOut.mutate()}
      onClose={onClose}
    />
  )
}
