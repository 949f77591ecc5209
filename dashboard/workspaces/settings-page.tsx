import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useCan, useSignedIn } from '../use-session.ts'
import { NameCard, SecurityCard, SettingsCards } from './general-cards.tsx'
import InviteMembersDialog from './invite-members-dialog.tsx'
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx'
import { DeleteCard, LeaveCard, LeaveCardOfOwner, TransferCard } from './ownership-cards.tsx'
import './workspaces.css'
import { Page } from '../components/page.tsx'

const { page: texts } = workspaceStrings

/** Settings of the workspace, as far as the role may change them. */
export default function SettingsPage() {
  const { user } = useSignedIn()
  const hasMembers = user.workspace.members > 1
  const [canWrite, isOwner] = [useCan('workspace:write'), useCan('workspace:own')]
  // Here, because the card goes with the first invitation.
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <Page title={texts.title}>
      <div className="settings">
        {user.is_alone && <TogetherCard onOpen={setOpened} />}
        {canWrite && !user.is_alone && <NameCard />}
        {canWrite && <SettingsCards />}
        {canWrite && !user.is_alone && <SecurityCard />}
        {hasMembers && (
          <>
            {isOwner && <TransferCard />}
            {isOwner ? <LeaveCardOfOwner /> : <LeaveCard />}
          </>
        )}
        {isOwner && (hasMembers || user.workspaces.length > 1) && <DeleteCard />}
      </div>
      {opened === 'invite' && <InviteMembersDialog onClose={close} />}
      {opened === 'workspace' && <NewWorkspaceDialog onClose={close} />}
    </Page>
  )
}

type Opened = 'invite' | 'workspace'

/** The first step from being alone. */
const TogetherCard = ({ onOpen }: { onOpen: (what: Opened) => void }) => (
  <Card title={workspaceStrings.inviteSomeone}>
    <div className="form">
      <p className="soft">{texts.inviteText}</p>
      <div className="actions">
        <Button icon={UserPlus} onClick={() => onOpen('invite')}>
          {workspaceStrings.inviteSomeone}
        </Button>
        <Button icon={Plus} variant="quiet" onClick={() => onOpen('workspace')}>
          {workspaceStrings.newWorkspace}
        </Button>
      </div>
    </div>
  </Card>
)
