import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { useSignedIn } from '../use-session.ts'
import { adminStrings } from './admin-strings.ts'
import { OneTimeLink } from '../components/dialogs/secret-dialog.tsx'
import { useOperatorAction } from './confirm-action.tsx'

/** Sends an invitation to the server, or shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { instance } = useSignedIn()
  const { values, field } = useFields({ email: '' })
  const [made, setMade] = useState<{ email: string; link: string }>()
  const invite = useOperatorAction(
    () => ask('POST /admin/invitations', { input: { email: values.email.trim() } }),
    { said: ({ data }) => (data.link === null ? adminStrings.invited(data.email) : undefined) },
  )
  if (made !== undefined) {
    return (
      <OneTimeLink
        title={adminStrings.invitationLink}
        text={adminStrings.invitationLinkText(made.email)}
        link={made.link}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={adminStrings.invite}
      action={instance.sends_mail ? adminStrings.sendInvitation : adminStrings.createInvitation}
      change={invite}
      onDone={({ data: { email, link } }) => (link === null ? onClose() : setMade({ email, link }))}
      onClose={onClose}
    >
      <p>{adminStrings.inviteText}</p>
      <TextField label={adminStrings.email} type="email" autoComplete="off" {...field('email')} autoFocus />
    </FormDialog>
  )
}
