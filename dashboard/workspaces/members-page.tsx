import { useData } from '../api/use-data.ts'
import { Mail, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../components/button.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import InviteMembersDialog from './invite-members-dialog.tsx'
import { MemberList } from './member-list.tsx'
import { useMemberChange } from './member-queries.ts'
import './workspaces.css'
import { ask, type DataOf } from '../api/api-client.ts'
import { Card } from '../components/card.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { exactTime, shortDate } from '../format.ts'
import { nowMs } from '../now.ts'
import { CopyLinkButton } from './copy-link-button.tsx'
import { Page } from '../components/page.tsx'
import { FailedCard, hasFailed } from '../components/states.tsx'

const { members: texts, invitations: invitationTexts, roles } = workspaceStrings

/** `?invite` opens the dialog. */
export default function MembersPage() {
  const { user } = useSignedIn()
  const [parameters, setParameters] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const members = useData('GET /members').data?.length ?? user.workspace.members
  const pending = useData('GET /members/invitations').data?.length ?? 0
  const close = () => {
    setOpen(false)
    setParameters({}, { replace: true })
  }
  return (
    <Page
      title={texts.title}
      lead={user.is_alone ? texts.leadAlone : texts.lead(members, pending, user.workspace.name)}
      action={
        <Button variant="primary" icon={UserPlus} onClick={() => setOpen(true)}>
          {workspaceStrings.invite}
        </Button>
      }
    >
      <MemberList />
      <PendingInvitations />
      {(isOpen || parameters.has('invite')) && <InviteMembersDialog onClose={close} />}
    </Page>
  )
}

const DAY_MS = 86_400_000

type Invitation = DataOf<'GET /members/invitations'>[number]

/** Nothing while nobody is invited. */
function PendingInvitations() {
  const invitations = useData('GET /members/invitations')
  if (hasFailed(invitations)) return <FailedCard what={invitationTexts.title} query={invitations} />
  if (invitations.data === undefined || invitations.data.length === 0) return null
  return (
    <Card title={invitationTexts.title}>
      <Table
        caption={invitationTexts.title}
        columns={COLUMNS}
        rows={invitations.data}
        keyOf={({ id }) => id}
      />
    </Card>
  )
}

const COLUMNS: Column<Invitation>[] = [
  {
    id: 'email',
    head: invitationTexts.emails,
    cell: ({ email, invited_by: by }) => (
      <div className="member-cell">
        <Mail size={18} aria-hidden />
        <span className="names">
          <strong className="cut">{email}</strong>
          <small className="cut">{invitationTexts.invitedBy(by)}</small>
        </span>
      </div>
    ),
  },
  { id: 'role', head: invitationTexts.role, cell: ({ role }) => roles[role] },
  {
    id: 'left',
    head: texts.columns.active,
    isHeadHidden: true,
    cell: ({ expires_at: at }) => (
      <time dateTime={at} title={exactTime(at)} className={isExpired(at) ? 'invitation-over' : 'soft'}>
        {isExpired(at) ? invitationTexts.expired(shortDate(at)) : invitationTexts.left(daysLeft(at))}
      </time>
    ),
  },
  {
    id: 'act',
    head: texts.columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (invitation) => <InvitationTools invitation={invitation} />,
  },
]

/** Rounded, so that an invitation for seven days begins with 7. Below one: 0. */
function daysLeft(at: string): number {
  const days = (Date.parse(at) - nowMs()) / DAY_MS
  return days < 1 ? 0 : Math.round(days)
}

const isExpired = (at: string) => Date.parse(at) <= nowMs()

function InvitationTools({ invitation }: { invitation: Invitation }) {
  const { id, email, expires_at: expiresAt } = invitation
  const { sends_mail: sendsMail } = useSignedIn().instance
  const onError = useErrorToast()
  const send = useMemberChange(() => ask('POST /members/invitations/{id}/send', { path: { id } }), {
    said: invitationTexts.sentAgain(email),
    onError,
  })
  const revoke = useMemberChange(() => ask('DELETE /members/invitations/{id}', { path: { id } }), {
    said: invitationTexts.revoked(email),
    onError,
  })
  const again = { label: invitationTexts.sendAgain, icon: Mail, onSelect: () => send.mutate() }
  return (
    <span className="invitation-tools">
      {sendsMail && isExpired(expiresAt) ? (
        <Button size="small" icon={Mail} isBusy={send.isPending} onClick={() => send.mutate()}>
          {invitationTexts.sendAgain}
        </Button>
      ) : (
        <CopyLinkButton invitation={invitation} />
      )}
      <Menu
        label={invitationTexts.menuOf(email)}
        items={[
          ...(sendsMail ? [again] : []),
          { label: invitationTexts.revoke, icon: Trash2, isDanger: true, onSelect: () => revoke.mutate() },
        ]}
      />
    </span>
  )
}
