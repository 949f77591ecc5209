import { KeyRound, Plus } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { keyColumns } from '../keys/key-columns.tsx'
import { NewKeyDialog } from '../keys/new-key-dialog.tsx'
import { UsageCard, useUsage } from '../keys/usage-card.tsx'
import { ask } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { Question } from '../parts/dialog.tsx'
import { Empty, Failed, sentenceOf } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useToast } from '../parts/toasts.tsx'
import { laterWords } from '../later-words.ts'
import { useTitle } from './use-title.ts'

const KEYS = ['keys']

export default function KeysPage() {
  useTitle(laterWords.keys.title)
  const keys = useQuery({ queryKey: KEYS, queryFn: async () => (await ask('GET /keys')).data })
  // Loaded together with the keys, though it is drawn after them.
  useUsage()
  const [isNewOpen, setNewOpen] = useState(false)
  const [asked, setAsked] = useState<KeyView>()
  const isEmpty = keys.data?.length === 0
  return (
    <div className="page">
      <div className="page-head">
        <h1>{laterWords.keys.title}</h1>
        <Button look="primary" icon={Plus} onClick={() => setNewOpen(true)}>
          {laterWords.keys.new}
        </Button>
      </div>
      <div className="card">
        {keys.error !== null && keys.data === undefined ? (
          <Failed error={keys.error} onRetry={() => void keys.refetch()} />
        ) : isEmpty ? (
          <Empty icon={KeyRound} title={laterWords.keys.emptyTitle} text={laterWords.keys.empty} />
        ) : (
          <Table
            caption={laterWords.keys.title}
            columns={keyColumns(setAsked)}
            rows={keys.data && inOrder(keys.data)}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        )}
      </div>
      {/* Below the keys only when they are there: otherwise they would push it down. */}
      {keys.data && !isEmpty && <UsageCard />}
      {isNewOpen && <NewKeyDialog onClose={() => setNewOpen(false)} />}
      {asked && <RevokeQuestion apiKey={asked} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

/** What is in use first, each the newest first. */
const inOrder = (keys: KeyView[]) =>
  keys.toSorted((one, other) => Number(one.is_revoked) - Number(other.is_revoked) || other.id - one.id)

function RevokeQuestion({ apiKey: { id, name }, onClose }: { apiKey: KeyView; onClose: () => void }) {
  const client = useQueryClient()
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: () => ask('DELETE /keys/{id}', { path: { id } }),
    onSuccess: () => toast({ text: laterWords.keys.revokedNow(name) }),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    onSettled: () => {
      onClose()
      return client.invalidateQueries({ queryKey: KEYS })
    },
  })
  return (
    <Question
      title={laterWords.keys.revokeTitle(name)}
      text={laterWords.keys.revokeText}
      action={laterWords.keys.revoke}
      isBusy={revoke.isPending}
      onYes={() => revoke.mutate()}
      onClose={onClose}
    />
  )
}
