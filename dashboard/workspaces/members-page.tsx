import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../components/button.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import InviteMembersDialog from './invite-members-dialog.tsx'
import { MemberList } from './member-list.tsx'
import { useMembers, useWorkspaceInvitations } from './member-queries.ts'
import { PendingInvitations } from './pending-invitations.tsx'
import './workspaces.css'
import { useTitle } from '../use-title.ts'

const { members: texts } = workspaceStrings

/** `?invite` opens the dialog. */
export default function MembersPage() {
  useTitle(texts.title)
  const { user } = useSignedIn()
  const [parameters, setParameters] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const members = useMembers().data?.length ?? user.workspace.members
  const pending = useWorkspaceInvitations().data?.length ?? 0
  const close = () => {
    setOpen(false)
    setParameters({}, { replace: true })
  }
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p className="soft">
            {user.is_alone ? texts.leadAlone : texts.lead(members, pending, user.workspace.name)}
          </p>
        </div>
        <Button variant="primary" icon={UserPlus} onClick={() => setOpen(true)}>
          {workspaceStrings.invite}
        </Button>
      </div>
      <MemberList />
      <PendingInvitations />
      {(isOpen || parameters.has('invite')) && <InviteMembersDialog onClose={close} />}
    </div>
  )
}
