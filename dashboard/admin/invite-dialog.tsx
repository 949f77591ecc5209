import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { adminStrings } from './admin-strings.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { useOperatorAction } from './operator-queries.ts'

/** Sends an invitation to the server, or shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { instance } = useSignedIn()
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<{ email: string; link: string }>()
  const invite = useOperatorAction(
    (input: { email: string }) => ask('POST /admin/invitations', { input }),
    (_, { data }) => (data.link === null ? adminStrings.invited(data.email) : undefined),
  )
  const onInvited = ({ data }: Awaited<ReturnType<typeof invite.mutateAsync>>) =>
    data.link === null ? onClose() : setMade({ email: data.email, link: data.link })
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
      mutation={invite}
      onSubmit={() => invite.mutate({ email: email.trim() }, { onSuccess: onInvited })}
      onClose={onClose}
    >
      <p>{adminStrings.inviteText}</p>
      <TextField
        label={adminStrings.email}
        type="email"
        autoComplete="off"
        value={email}
        onText={setEmail}
        errors={errorsOf(invite.error, 'email')}
        autoFocus
      />
    </FormDialog>
  )
}
