import { MailPlus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { InvitationView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { exactTime, relativeTime, shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { useInvitations, useOperatorAction, useRefusalToast } from './operator-queries.ts'

const { admin: texts } = lazyStrings

export function InvitationsTab() {
  const { instance } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const invitations = useInvitations()
  const onError = useRefusalToast()
  const withdraw = useOperatorAction(
    ({ id }: InvitationView) => ask('DELETE /admin/invitations/{id}', { path: { id } }),
    ({ email }) => texts.withdrawn(email),
  )
  if (invitations.error !== null && invitations.data === undefined) {
    return (
      <div className="card">
        <Failed error={invitations.error} onRetry={() => void invitations.refetch()} />
      </div>
    )
  }
  return (
    <>
      <div className="tools-line">
        <p className="soft">{texts.signUp[instance.sign_up]}</p>
        <Button icon={UserPlus} onClick={() => setOpen(true)}>
          {texts.invite}
        </Button>
      </div>
      <div className="card">
        {invitations.data?.length === 0 ? (
          <Empty icon={MailPlus} title={texts.invitationsEmptyTitle} text={texts.invitationsEmpty} />
        ) : (
          <Table
            caption={texts.tabs.invitations}
            columns={invitationColumns((invitation) => withdraw.mutate(invitation, { onError }))}
            rows={invitations.data}
            keyOf={({ id }) => id}
            skeletonRows={3}
          />
        )}
      </div>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const invitationColumns = (onWithdraw: (invitation: InvitationView) => void): Column<InvitationView>[] => [
  {
    id: 'email',
    head: texts.columnsInvitations.email,
    cell: ({ email }) => <strong>{email}</strong>,
    skeleton: <Skeleton width={200} height={20} />,
  },
  {
    id: 'since',
    head: texts.columnsInvitations.since,
    label: texts.columnsInvitations.since,
    cell: ({ created_at: at }) => (
      <span className="soft" title={exactTime(at)}>
        {relativeTime(at)}
      </span>
    ),
  },
  {
    id: 'until',
    head: texts.columnsInvitations.until,
    label: texts.columnsInvitations.until,
    cell: ({ expires_at: at }) => (
      <span className="soft" title={exactTime(at)}>
        {shortDate(at)}
      </span>
    ),
  },
  {
    id: 'act',
    head: texts.columnsInvitations.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (invitation) => (
      <Button
        size="small"
        variant="danger"
        aria-label={`${texts.withdraw}: ${invitation.email}`}
        onClick={() => onWithdraw(invitation)}
      >
        {texts.withdraw}
      </Button>
    ),
    skeleton: <Skeleton width={80} height={30} />,
  },
]
