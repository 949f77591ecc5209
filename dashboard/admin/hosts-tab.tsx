import { Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { BlockedHostView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { Empty, FailedCard, hasFailed } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, ListCard } from '../components/table.tsx'
import { adminStrings } from './admin-strings.ts'
import { useData } from '../api/use-data.ts'
import { useOperatorAction } from './confirm-action.tsx'
import { Time } from '../components/time.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

export function HostsTab() {
  const [isOpen, setOpen] = useState(false)
  const hosts = useData('GET /admin/blocked-hosts')
  const unblock = useOperatorAction(
    ({ host }: BlockedHostView) => ask('DELETE /admin/blocked-hosts/{host}', { path: { host } }),
    { said: (_, { host }) => adminStrings.unblocked(host), onError: useErrorToast() },
  )
  if (hasFailed(hosts)) return <FailedCard what={adminStrings.tabs.hosts} query={hosts} />
  return (
    <>
      <div className="actions">
        <Button icon={Plus} onClick={() => setOpen(true)}>
          {adminStrings.newHost}
        </Button>
      </div>
      <ListCard
        query={hosts}
        empty={
          <Empty icon={ShieldCheck} title={adminStrings.hostsEmptyTitle} text={adminStrings.hostsEmpty} />
        }
        caption={adminStrings.tabs.hosts}
        columns={hostColumns(unblock.mutate)}
        rows={hosts.data}
        keyOf={({ host }) => host}
        skeletonRows={3}
      />
      {isOpen && <BlockDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const hostColumns = (onUnblock: (host: BlockedHostView) => void): Column<BlockedHostView>[] => [
  {
    id: 'host',
    head: adminStrings.columnsHosts.host,
    cell: ({ host }) => <strong>{host}</strong>,
    skeleton: <Skeleton width={160} height={20} />,
  },
  {
    id: 'reason',
    head: adminStrings.columnsHosts.reason,
    cell: ({ reason }) => <span className="soft">{reason || '–'}</span>,
  },
  {
    id: 'since',
    head: adminStrings.columnsHosts.since,
    cell: ({ blocked_at: at }) => <Time at={at} />,
  },
  {
    id: 'act',
    head: adminStrings.columnsHosts.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (host) => (
      <Button
        size="small"
        aria-label={`${adminStrings.unblock}: ${host.host}`}
        onClick={() => onUnblock(host)}
      >
        {adminStrings.unblock}
      </Button>
    ),
    skeleton: <Skeleton width={72} height={30} />,
  },
]

function BlockDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ host: '', reason: '' })
  const input = { host: values.host.trim(), reason: values.reason.trim() }
  const block = useOperatorAction(() => ask('POST /admin/blocked-hosts', { input }), {
    said: ({ data }) => adminStrings.blocked(data.host),
  })
  return (
    <FormDialog
      title={adminStrings.newHost}
      action={adminStrings.block}
      variant="danger"
      change={block}
      onClose={onClose}
    >
      <TextField
        label={adminStrings.host}
        hint={adminStrings.hostHint}
        {...VERBATIM}
        {...field('host')}
        autoFocus
      />
      <TextField
        label={adminStrings.reason}
        hint={adminStrings.reasonHint}
        autoComplete="off"
        {...field('reason')}
      />
    </FormDialog>
  )
}
