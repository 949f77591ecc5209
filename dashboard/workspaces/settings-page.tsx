import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { ActionCard, Card } from '../components/card.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { SESSION, useCan, useSessionChange, useSignedIn } from '../use-session.ts'
import { EmailReportCard } from './email-report-card.tsx'
import { NameCard, SecurityCard, SettingsCards } from './general-cards.tsx'
import { OwnTrafficCard } from './own-traffic-card.tsx'
import InviteMembersDialog from './invite-members-dialog.tsx'
import { NewWorkspaceDialog } from './workspace-switcher.tsx'
import './workspaces.css'
import { Page } from '../components/page.tsx'
import { useData } from '../api/use-data.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { useLocation } from 'wouter'
import { ConfirmDialog, DeletionDialog } from '../account/confirm-field.tsx'
import { ask } from '../api/api-client.ts'
import { Question } from '../components/dialogs/dialog.tsx'
import { SelectField } from '../components/fields/field.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useChange } from '../api/use-change.ts'

const { page: texts } = workspaceStrings

/** Settings of the workspace, as far as the role may change them. */
export default function SettingsPage() {
  const { user } = useSignedIn()
  const hasMembers = user.workspace.members > 1
  const canWrite = useCan('workspace:write')
  const isOwner = useCan('workspace:own')
  const canRead = useCan('analytics:read')
  // Here, because the card goes with the first invitation.
  const [opened, setOpened] = useState<DialogName>()
  const close = () => setOpened(undefined)
  return (
    <Page title={texts.title}>
      <div className="settings">
        {user.is_alone && <TogetherCard onOpen={setOpened} />}
        {canWrite && !user.is_alone && <NameCard />}
        {canWrite && <SettingsCards />}
        {canWrite && !user.is_alone && <SecurityCard />}
        {canRead && <EmailReportCard />}
        {canRead && <OwnTrafficCard />}
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

type DialogName = 'invite' | 'workspace'

/** The first step from being alone. */
const TogetherCard = ({ onOpen }: { onOpen: (what: DialogName) => void }) => (
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

type DialogProps = { onClose: () => void }
const LeaveCard = () => (
  <ActionCard
    title={texts.leave}
    text={texts.leaveText}
    dialog={(onClose) => <LeaveQuestion onClose={onClose} />}
  />
)

/** A workspace always has an owner, so the last one reads what to do first. */
function LeaveCardOfOwner() {
  const owners = useData('GET /members').data?.filter(({ role }) => role === 'owner')
  if (owners === undefined) return null
  return owners.length > 1 ? (
    <LeaveCard />
  ) : (
    <Card title={texts.leave}>
      <p className="soft">{texts.leaveAsOnlyOwner}</p>
    </Card>
  )
}

const TransferCard = () => (
  <ActionCard
    title={texts.transfer}
    text={texts.transferText}
    dialog={(onClose) => <TransferDialog onClose={onClose} />}
  />
)

const DeleteCard = () => (
  <ActionCard
    title={texts.delete}
    text={texts.deleteText}
    tone="danger"
    dialog={(onClose) => <DeleteDialog onClose={onClose} />}
  />
)

/** After the user is out of the workspace: goes on in another one, once it is known which, as the next page reads it. */
function useDeparture(said: string) {
  const onChanged = useSessionChange()
  const toast = useToast()
  const [, navigate] = useLocation()
  return async () => {
    await onChanged()
    toast({ text: said })
    navigate('/')
  }
}

function LeaveQuestion({ onClose }: DialogProps) {
  const { name } = useSignedIn().user.workspace
  const leave = useChange(() => ask('POST /workspace/leave'), { onSuccess: useDeparture(texts.left(name)) })
  return (
    <Question
      title={`${texts.leave}?`}
      text={texts.leaveText}
      action={texts.leave}
      onYes={() => leave.mutateAsync()}
      onClose={onClose}
    />
  )
}

function TransferDialog({ onClose }: DialogProps) {
  const { user } = useSignedIn()
  const members = useData('GET /members').data?.filter(({ id }) => id !== user.id) ?? []
  const [chosen, setChosen] = useState('')
  return (
    <ConfirmDialog
      title={texts.transfer}
      text={texts.transferText}
      action={texts.transfer}
      missing={chosen === '' ? missingStrings.owner : undefined}
      change={(password) => ask('POST /workspace/transfer', { input: { user_id: Number(chosen), password } })}
      said={texts.transferred}
      rereads={[SESSION]}
      onClose={onClose}
    >
      <SelectField
        label={texts.newOwner}
        choices={[
          { value: '', label: texts.choose },
          ...members.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` })),
        ]}
        value={chosen}
        onChoice={setChosen}
        apiName="user_id"
      />
    </ConfirmDialog>
  )
}

function DeleteDialog({ onClose }: DialogProps) {
  const { name } = useSignedIn().user.workspace
  return (
    <DeletionDialog
      texts={{
        title: texts.delete,
        action: texts.delete,
        text: texts.deleteText,
        confirm: texts.deleteConfirm,
      }}
      name={name}
      remove={(password) => ask('DELETE /workspace', { input: { name, password } })}
      onSuccess={useDeparture(texts.deleted(name))}
      onClose={onClose}
    />
  )
}
