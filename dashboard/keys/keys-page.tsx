import { KeyRound, Plus } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyView } from '../../src/http/endpoints/browser-types.ts'
import { keyColumns } from './key-columns.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { UsageCard, useUsage } from './usage-card.tsx'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { Empty, Failed, sentenceOf } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useSignedIn } from '../use-session.ts'
import { keyStrings } from './key-strings.ts'
import { useTitle } from '../use-title.ts'
import '../styles/facts.css'
import './keys.css'

const KEYS = ['keys']

export default function KeysPage() {
  useTitle(keyStrings.title)
  const keys = useQuery({ queryKey: KEYS, queryFn: async () => (await ask('GET /keys')).data })
  // Loaded together with the keys, although it renders after them.
  useUsage()
  const [isNewOpen, setNewOpen] = useState(false)
  const [revoking, setRevoking] = useState<KeyView>()
  const isEmpty = keys.data?.length === 0
  const { user } = useSignedIn()
  // Somebody who has always been alone made all of them.
  const isMadeByShown =
    user.workspace.members > 1 || keys.data?.some(({ created_by: by }) => by?.id !== user.id) === true
  return (
    <div className="page">
      <div className="page-head">
        <h1>{keyStrings.title}</h1>
        <Button variant="primary" icon={Plus} onClick={() => setNewOpen(true)}>
          {keyStrings.new}
        </Button>
      </div>
      <div className="card">
        {keys.error !== null && keys.data === undefined ? (
          <Failed what={keyStrings.title} error={keys.error} onRetry={() => void keys.refetch()} />
        ) : isEmpty ? (
          <Empty icon={KeyRound} title={keyStrings.emptyTitle} text={keyStrings.empty} />
        ) : (
          <Table
            caption={keyStrings.title}
            columns={keyColumns({ isMadeByShown, onRevoke: setRevoking })}
            rows={keys.data && inOrder(keys.data)}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        )}
      </div>
      {/* Below the keys only when they are there: otherwise they would push it down. */}
      {keys.data && !isEmpty && <UsageCard />}
      {isNewOpen && <NewKeyDialog onClose={() => setNewOpen(false)} />}
      {revoking && <RevokeQuestion apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  )
}

/** Active keys first, then by creation, newest first. */
const inOrder = (keys: KeyView[]) =>
  keys.toSorted((one, other) => Number(one.is_revoked) - Number(other.is_revoked) || other.id - one.id)

function RevokeQuestion({ apiKey: { id, name }, onClose }: { apiKey: KeyView; onClose: () => void }) {
  const client = useQueryClient()
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: () => ask('DELETE /keys/{id}', { path: { id } }),
    onSuccess: () => toast({ text: keyStrings.revokedNow(name) }),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    onSettled: () => {
      onClose()
      return client.invalidateQueries({ queryKey: KEYS })
    },
  })
  return (
    <Question
      title={keyStrings.revokeTitle(name)}
      text={keyStrings.revokeText}
      action={keyStrings.revoke}
      isBusy={revoke.isPending}
      onYes={() => revoke.mutate()}
      onClose={onClose}
    />
  )
}
