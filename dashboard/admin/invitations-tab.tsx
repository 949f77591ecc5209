import { MailPlus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { InvitationView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Empty, FailedCard, hasFailed } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, ListCard } from '../components/table.tsx'
import { useSignedIn } from '../use-session.ts'
import { adminStrings } from './admin-strings.ts'
import { useData } from '../api/use-data.ts'
import { useOperatorAction } from './confirm-action.tsx'
import { Time } from '../components/time.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { OneTimeLink } from '../components/dialogs/secret-dialog.tsx'

export function InvitationsTab() {
  const { instance } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const invitations = useData('GET /admin/invitations')
  const withdraw = useOperatorAction(
    ({ id }: InvitationView) => ask('DELETE /admin/invitations/{id}', { path: { id } }),
    { said: (_, { email }) => adminStrings.withdrawn(email), onError: useErrorToast() },
  )
  if (hasFailed(invitations)) return <FailedCard what={adminStrings.tabs.invitations} query={invitations} />
  return (
    <>
      <div className="tools-line">
        <p className="soft">{adminStrings.signUp[instance.sign_up]}</p>
        <Button icon={UserPlus} onClick={() => setOpen(true)}>
          {adminStrings.invite}
        </Button>
      </div>
      <ListCard
        query={invitations}
        empty={
          <Empty
            icon={MailPlus}
            title={adminStrings.invitationsEmptyTitle}
            text={adminStrings.invitationsEmpty}
          />
        }
        caption={adminStrings.tabs.invitations}
        columns={invitationColumns(withdraw.mutate)}
        rows={invitations.data}
        keyOf={({ id }) => id}
        skeletonRows={3}
      />
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const invitationColumns = (onWithdraw: (invitation: InvitationView) => void): Column<InvitationView>[] => [
  {
    id: 'email',
    head: adminStrings.columnsInvitations.email,
    cell: ({ email }) => <strong>{email}</strong>,
    skeleton: <Skeleton width={200} height={20} />,
  },
  {
    id: 'since',
    head: adminStrings.columnsInvitations.since,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    id: 'until',
    head: adminStrings.columnsInvitations.until,
    cell: ({ expires_at: at }) => <Time at={at}>{shortDate(at)}</Time>,
  },
  {
    id: 'act',
    head: adminStrings.columnsInvitations.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (invitation) => (
      <Button
        size="small"
        variant="danger"
        aria-label={`${adminStrings.withdraw}: ${invitation.email}`}
        onClick={() => onWithdraw(invitation)}
      >
        {adminStrings.withdraw}
      </Button>
    ),
    skeleton: <Skeleton width={80} height={30} />,
  },
]

/** Sends an invitation to the server, or shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { instance } = useSignedIn()
  const { values, field } = useFields({ email: '' })
  const [made, setMade] = useState<{ email: string; link: string }>()
  const invite = useOperatorAction(
    () => ask('POST /admin/invitations', { input: { email: values.email.trim() } }),
    { said: ({ data }) => (data.link === null ? adminStrings.invited(data.email) : undefined) },
  )
  if (made !== undefined) {
    return (
      <OneTimeLink
        title={adminStrings.invitationLink}
        text={adminStrings.invitationLinkText(made.email)}
        link={made.link}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={adminStrings.invite}
      action={instance.sends_mail ? adminStrings.sendInvitation : adminStrings.createInvitation}
      change={invite}
      onDone={({ data: { email, link } }) => (link === null ? onClose() : setMade({ email, link }))}
      onClose={onClose}
    >
      <p>{adminStrings.inviteText}</p>
      <TextField label={adminStrings.email} type="email" autoComplete="off" {...field('email')} autoFocus />
    </FormDialog>
  )
}
