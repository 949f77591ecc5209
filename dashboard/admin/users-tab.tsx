import { UserX } from 'lucide-react'
import { useState } from 'react'
import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { adminStrings } from '../strings/admin-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { ManagedList } from './managed-list.tsx'
import { useManagedUsers } from './operator-queries.ts'
import { ConfirmAction } from './confirm-action.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { type UserAct, userColumns } from './user-columns.tsx'
import { isRoleAction, roleAction, userAction } from './user-actions.ts'

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
