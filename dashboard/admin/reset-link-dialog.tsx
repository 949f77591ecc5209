import { useState } from 'react'
import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { PasswordDialog } from '../account/password-dialog.tsx'
import { ask } from '../api-client.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { OneTimeLink } from './one-time-link.tsx'

const { admin: texts } = lazyStrings

type ResetLinkDialogProps = { account: ManagedAccountView; onClose: () => void }

/** Asks for the operator's password, then shows the reset link. */
export function ResetLinkDialog({ account: { id, name }, onClose }: ResetLinkDialogProps) {
  const [made, setMade] = useState<{ email: string; link: string }>()
  if (made === undefined) {
    return (
      <PasswordDialog
        title={texts.resetLinkTitle}
        text={texts.resetLinkAsk(name)}
        action={texts.resetLink}
        change={(password) =>
          ask('POST /admin/accounts/{id}/reset-link', { path: { id }, input: { password } })
        }
        onDone={({ data }) => setMade(data)}
        onClose={onClose}
      />
    )
  }
  return (
    <OneTimeLink
      title={texts.resetLinkTitle}
      text={texts.resetLinkText(made.email)}
      link={made.link}
      onClose={onClose}
    />
  )
}
