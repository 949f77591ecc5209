import { useState } from 'react'
import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { ConfirmDialog } from '../account/confirm-dialog.tsx'
import { ask } from '../api-client.ts'
import { adminStrings } from '../strings/admin-strings.ts'
import { OneTimeLink } from './one-time-link.tsx'

type ResetLinkDialogProps = { user: ManagedUserView; onClose: () => void }

/** Asks the operator to prove who they are, then shows the reset link. */
export function ResetLinkDialog({ user: { id, name }, onClose }: ResetLinkDialogProps) {
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
