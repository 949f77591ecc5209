import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { useOperatorAction } from './operator-queries.ts'

const { admin: texts } = lazyStrings

/** Sends an invitation to the server, or shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { instance } = useSignedIn()
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<{ email: string; link: string }>()
  const invite = useOperatorAction(
    (input: { email: string }) => ask('POST /admin/invitations', { input }),
    (_, { data }) => (data.link === null ? texts.invited(data.email) : undefined),
  )
  const onInvited = ({ data }: Awaited<ReturnType<typeof invite.mutateAsync>>) =>
    data.link === null ? onClose() : setMade({ email: data.email, link: data.link })
  if (made !== undefined) {
    return (
      <OneTimeLink
        title={texts.invitationLink}
        text={texts.invitationLinkText(made.email)}
        link={made.link}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={texts.invite}
      action={instance.sends_mail ? texts.sendInvitation : texts.createInvitation}
      error={invite.error}
      isBusy={invite.isPending}
      onSubmit={() => invite.mutate({ email: email.trim() }, { onSuccess: onInvited })}
      onClose={onClose}
    >
      <p>{texts.inviteText}</p>
      <TextField
        label={texts.email}
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
