import { strings } from '../strings.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmField, useProof } from '../account/confirm-field.tsx'
import { DeletionDialog } from '../account/deletion-dialog.tsx'
import { ask } from '../api-client.ts'
import { ActionCard, Card } from '../components/card.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { SelectField } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf, sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { useSessionRefresh } from './workspace-change.ts'
import { useMembers } from './member-queries.ts'

const { page: texts } = workspaceStrings

type DialogProps = { onClose: () => void }
export const LeaveCard = () => (
  <ActionCard
    title={texts.leave}
    text={texts.leaveText}
    dialog={(onClose) => <LeaveQuestion onClose={onClose} />}
  />
)

/** A workspace always has an owner, so the last one reads what to do first. */
export function LeaveCardOfOwner() {
  const owners = useMembers().data?.filter(({ role }) => role === 'owner')
  if (owners === undefined) return null
  return owners.length > 1 ? (
    <LeaveCard />
  ) : (
    <Card title={texts.leave}>
      <p className="soft">{texts.leaveAsOnlyOwner}</p>
    </Card>
  )
}

export const TransferCard = () => (
  <ActionCard
    title={texts.transfer}
    text={texts.transferText}
    dialog={(onClose) => <TransferDialog onClose={onClose} />}
  />
)

export const DeleteCard = () => (
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
    toast({ text: said })
    await onChanged()
    navigate('/')
  }
}

function LeaveQuestion({ onClose }: DialogProps) {
  const { name } = useSignedIn().user.workspace
  const toast = useToast()
  const leave = useMutation({
    mutationFn: () => ask('POST /workspace/leave'),
    onSuccess: useDeparture(texts.left(name)),
    onError: (error) => {
      onClose()
      toast({ tone: 'bad', text: sentenceOf(error) })
    },
  })
  return (
    <Question
      title={`${texts.leave}?`}
      text={texts.leaveText}
      action={texts.leave}
      isBusy={leave.isPending}
      onYes={() => leave.mutate()}
      onClose={onClose}
    />
  )
}

function TransferDialog({ onClose }: DialogProps) {
  const { user } = useSignedIn()
  const members = useMembers().data?.filter(({ id }) => id !== user.id) ?? []
  const [chosen, setChosen] = useState('')
  const proof = useProof()
  const toast = useToast()
  const refresh = useSessionRefresh()
  const transfer = useMutation({
    mutationFn: () =>
      ask('POST /workspace/transfer', { input: { user_id: Number(chosen), password: proof.password } }),
    onSuccess: () => {
      onClose()
      toast({ text: texts.transferred })
      return refresh()
    },
  })
  return (
    <FormDialog
      title={texts.transfer}
      action={texts.transfer}
      mutation={transfer}
      missing={chosen === '' ? strings.missing.owner : proof.missing}
      onSubmit={() => transfer.mutate()}
      onClose={onClose}
    >
      <p>{texts.transferText}</p>
      <SelectField
        label={texts.newOwner}
        choices={[
          { value: '', label: texts.choose },
          ...members.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` })),
        ]}
        value={chosen}
        onChoice={setChosen}
        errors={errorsOf(transfer.error, 'user_id')}
      />
      <ConfirmField proof={proof} error={transfer.error} />
    </FormDialog>
  )
}

function DeleteDialog({ onClose }: DialogProps) {
  const { name } = useSignedIn().user.workspace
  const deletion = useMutation({
    mutationFn: (password: string) => ask('DELETE /workspace', { input: { name, password } }),
    onSuccess: useDeparture(texts.deleted(name)),
  })
  const dialogTexts = {
    title: texts.delete,
    action: texts.delete,
    text: texts.deleteText,
    confirm: texts.deleteConfirm,
  }
  return <DeletionDialog texts={dialogTexts} name={name} deletion={deletion} onClose={onClose} />
}
