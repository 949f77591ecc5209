import { MailPlus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { InvitationView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { exactTime, relativeTime, shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { Empty, errorsOf, Failed } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { useInvitations, useOrder, useRefusalToast } from './operator-queries.ts'

const { admin: texts } = lazyStrings

export function InvitationsTab() {
  const { instance } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const invitations = useInvitations()
  const onError = useRefusalToast()
  const withdraw = useOrder(
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

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { instance } = useSignedIn()
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<{ email: string; link: string }>()
  const invite = useOrder(
    (input: { email: string }) => ask('POST /admin/invitations', { input }),
    (_, { data }) => (data.link === null ? texts.invited(data.email) : undefined),
  )
  const onInvited = ({ data }: Awaited<ReturnType<typeof invite.mutateAsync>>) =>
    data.link === null ? onClose() : setMade({ email: data.email, link: data.link })
  if (made !== undefined) {
    return (
      <OneTimeLink
        title={texts.invitationLink}
        text={texts.invitationLinkText(made.email)}
        link={made.link}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={texts.invite}
      action={instance.sends_mail ? texts.sendInvitation : texts.createInvitation}
      error={invite.error}
      isBusy={invite.isPending}
      onSubmit={() => invite.mutate({ email: email.trim() }, { onSuccess: onInvited })}
      onClose={onClose}
    >
      <p>{texts.inviteText}</p>
      <TextField
        label={texts.email}
        type="email"
        autoComplete="off"
        value={email}
        onText={setEmail}
        errors={errorsOf(invite.error, 'email')}
        autoFocus
      />
    </FormDialog>
  )
}
