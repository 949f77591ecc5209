import { Plus, ShieldCheck } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, type BlockedHost } from '../api-client.ts'
import { exactTime, fullNumber, relativeTime } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Empty, errorsOf, Failed, FormFailure, sentenceOf } from '../parts/states.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useToast } from '../parts/toasts.tsx'
import { words } from '../words.ts'

const { admin: texts } = words
const HOSTS = ['admin', 'hosts']

export function HostsTab() {
  const client = useQueryClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const hosts = useQuery({ queryKey: HOSTS, queryFn: async () => (await api.blockedHosts()).data })
  const unblock = useMutation({
    mutationFn: api.unblockHost,
    onSuccess: (_, host) => toast({ text: texts.unblocked(host) }),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: HOSTS }),
  })
  if (hosts.error !== null && hosts.data === undefined) {
    return (
      <div className="card">
        <Failed error={hosts.error} onRetry={() => void hosts.refetch()} />
      </div>
    )
  }
  return (
    <>
      <div className="actions">
        <Button icon={Plus} onClick={() => setOpen(true)}>
          {texts.newHost}
        </Button>
      </div>
      <div className="card">
        {hosts.data?.length === 0 ? (
          <Empty icon={ShieldCheck} title={texts.hostsEmptyTitle} text={texts.hostsEmpty} />
        ) : (
          <Table
            caption={texts.tabs.hosts}
            columns={hostColumns(({ host }) => unblock.mutate(host))}
            rows={hosts.data}
            keyOf={({ host }) => host}
            skeletonRows={3}
          />
        )}
      </div>
      {isOpen && <BlockDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const hostColumns = (onUnblock: (host: BlockedHost) => void): Column<BlockedHost>[] => [
  {
    id: 'host',
    head: texts.columnsHosts.host,
    cell: ({ host, reason }) => (
      <div>
        <strong>{host}</strong>
        <div className="hint">{reason}</div>
      </div>
    ),
    skeleton: <Skeleton width={200} height={36} />,
  },
  {
    id: 'links',
    head: texts.columnsHosts.links,
    label: texts.columnsHosts.links,
    isNumber: true,
    cell: ({ links }) => fullNumber(links),
  },
  {
    id: 'since',
    head: texts.columnsHosts.since,
    label: texts.columnsHosts.since,
    cell: ({ created_at: at }) => (
      <span className="soft" title={exactTime(at)}>
        {relativeTime(at)}
      </span>
    ),
  },
  {
    id: 'menu',
    head: texts.columnsHosts.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (host) => (
      <Button size="small" aria-label={`${texts.unblock}: ${host.host}`} onClick={() => onUnblock(host)}>
        {texts.unblock}
      </Button>
    ),
    skeleton: <Skeleton width={72} height={30} />,
  },
]

function BlockDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [host, setHost] = useState('')
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const toast = useToast()
  const block = useMutation({
    mutationFn: api.blockHost,
    onSuccess: (_, blocked) => {
      toast({ text: texts.blocked(blocked.host) })
      onClose()
      return client.invalidateQueries({ queryKey: HOSTS })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    block.mutate({ host: host.trim(), reason: reason.trim() })
  }
  return (
    <Dialog
      title={texts.newHost}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={formId} look="danger" isBusy={block.isPending}>
            {texts.block}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={submit} noValidate>
        <FormFailure error={block.error} />
        <TextField
          label={texts.host}
          hint={texts.hostHint}
          value={host}
          onText={setHost}
          errors={errorsOf(block.error, 'host')}
          autoFocus
        />
        <TextField
          label={texts.reason}
          value={reason}
          onText={setReason}
          errors={errorsOf(block.error, 'reason')}
        />
      </form>
    </Dialog>
  )
}
