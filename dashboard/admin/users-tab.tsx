import { UserX } from 'lucide-react'
import { useState } from 'react'
import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { adminStrings } from './admin-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { ManagedList } from './managed-list.tsx'
import { useManagedUsers, useOperatorAction } from './operator-queries.ts'
import { ConfirmAction } from './confirm-action.tsx'
import { type UserAct, userColumns } from './user-columns.tsx'
import { isRoleAction, roleAction, type RoleAction, userAction } from './user-actions.ts'
import { ConfirmField, useProof } from '../account/confirm-field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { ConfirmDialog } from '../account/confirm-dialog.tsx'
import { ask } from '../api-client.ts'
import { OneTimeLink } from './one-time-link.tsx'

const { tabs, users: texts } = adminStrings

export function UsersTab() {
  const { user, instance } = useSignedIn()
  const [opened, setOpened] = useState<{ act: UserAct; of: ManagedUserView }>()
  const close = () => setOpened(undefined)
  const columns = userColumns({
    ownId: user.id,
    sendsMail: instance.sends_mail,
    onAct: (act, of) => setOpened({ act, of }),
  })
  return (
    <>
      <ManagedList
        caption={tabs.users}
        texts={texts}
        icon={UserX}
        useRows={useManagedUsers}
        columns={columns}
      />
      {opened && <ActDialog {...opened} onClose={close} />}
    </>
  )
}

type ActDialogProps = { act: UserAct; of: ManagedUserView; onClose: () => void }

function ActDialog({ act, of: user, onClose }: ActDialogProps) {
  if (act === 'reset-link') return <ResetLinkDialog user={user} onClose={onClose} />
  if (isRoleAction(act)) return <RoleDialog action={roleAction(act, user)} onClose={onClose} />
  return <ConfirmAction action={userAction(act, user)} onClose={onClose} />
}

/** Asks the operator to prove who they are, because operators can do everything. */
function RoleDialog({ action, onClose }: { action: RoleAction; onClose: () => void }) {
  const { title, text, label, saidAfter, run } = action
  const proof = useProof()
  const running = useOperatorAction(run, () => saidAfter)
  return (
    <FormDialog
      title={title}
      action={label}
      mutation={running}
      missing={proof.missing}
      onSubmit={() => running.mutate(proof.password, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text}</p>
      <ConfirmField proof={proof} error={running.error} autoFocus />
    </FormDialog>
  )
}

type ResetLinkDialogProps = { user: ManagedUserView; onClose: () => void }

/** Asks the operator to prove who they are, then shows the reset link. */
function ResetLinkDialog({ user: { id, name }, onClose }: ResetLinkDialogProps) {
  const [made, setMade] = useState<{ email: string; link: string }>()
  if (made === undefined) {
    return (
      <ConfirmDialog
        title={adminStrings.resetLinkTitle}
        text={adminStrings.resetLinkAsk(name)}
        action={adminStrings.resetLink}
        change={(password) => ask('POST /admin/users/{id}/reset-link', { path: { id }, input: { password } })}
        onDone={({ data }) => setMade(data)}
        onClose={onClose}
      />
    )
  }
  return (
    <OneTimeLink
      title={adminStrings.resetLinkTitle}
      text={adminStrings.resetLinkText(made.email)}
      link={made.link}
      onClose={onClose}
    />
  )
}
