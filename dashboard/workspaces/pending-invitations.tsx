import { Mail, Trash2 } from 'lucide-react'
import { ask, type DataOf } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { Failed } from '../components/states.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { exactTime, shortDate } from '../format.ts'
import { nowMs } from '../now.ts'
import { workspaceStrings } from './workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { CopyLinkButton } from './copy-link-button.tsx'
import { useMemberChange, useWorkspaceInvitations } from './member-queries.ts'

const { invitations: texts, roles, members } = workspaceStrings
const DAY_MS = 86_400_000

type Invitation = DataOf<'GET /members/invitations'>[number]

/** Nothing while nobody is invited. */
export function PendingInvitations() {
  const invitations = useWorkspaceInvitations()
  if (invitations.error !== null && invitations.data === undefined) {
    return (
      <div className="card">
        <Failed what={texts.title} error={invitations.error} onRetry={() => void invitations.refetch()} />
      </div>
    )
  }
  if (invitations.data === undefined || invitations.data.length === 0) return null
  return (
    <Card title={texts.title}>
      <Table caption={texts.title} columns={COLUMNS} rows={invitations.data} keyOf={({ id }) => id} />
    </Card>
  )
}

const COLUMNS: Column<Invitation>[] = [
  {
    id: 'email',
    head: texts.emails,
    cell: ({ email, invited_by: by }) => (
      <div className="member-cell">
        <Mail size={18} aria-hidden />
        <span className="names">
          <strong className="cut">{email}</strong>
          <small className="cut">{texts.invitedBy(by)}</small>
        </span>
      </div>
    ),
  },
  { id: 'role', head: texts.role, label: texts.role, cell: ({ role }) => roles[role] },
  {
    id: 'left',
    head: members.columns.active,
    isHeadHidden: true,
    cell: ({ expires_at: at }) => (
      <time dateTime={at} title={exactTime(at)} className={isExpired(at) ? 'invitation-over' : 'soft'}>
        {isExpired(at) ? texts.expired(shortDate(at)) : texts.left(daysLeft(at))}
      </time>
    ),
  },
  {
    id: 'act',
    head: members.columns.menu,
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
  const toast = useToast()
  const send = useMemberChange(() => ask('POST /members/invitations/{id}/send', { path: { id } }))
  const revoke = useMemberChange(() => ask('DELETE /members/invitations/{id}', { path: { id } }))
  const sendAgain = () => send.mutate(undefined, { onSuccess: () => toast({ text: texts.sentAgain(email) }) })
  const withdraw = () => revoke.mutate(undefined, { onSuccess: () => toast({ text: texts.revoked(email) }) })
  const again = { label: texts.sendAgain, icon: Mail, onSelect: sendAgain }
  return (
    <span className="invitation-tools">
      {sendsMail && isExpired(expiresAt) ? (
        <Button size="small" icon={Mail} isBusy={send.isPending} onClick={sendAgain}>
          {texts.sendAgain}
        </Button>
      ) : (
        <CopyLinkButton invitation={invitation} />
      )}
      <Menu
        label={texts.menuOf(email)}
        items={[
          ...(sendsMail ? [again] : []),
          { label: texts.revoke, icon: Trash2, isDanger: true, onSelect: withdraw },
        ]}
      />
    </span>
  )
}
