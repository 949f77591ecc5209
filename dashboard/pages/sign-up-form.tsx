import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ask } from '../api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { errorsOf, NoticeLine } from '../parts/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { MailSent } from './mail-sent.tsx'

const { doors: texts } = laterWords

export const SignInLink = () => (
  <>
    {texts.haveAccount} <Link href="/sign-in">{texts.signIn}</Link>
  </>
)

/** `invitation`: the mailed token, and the address that it was mailed to, which is the only one it is good for. */
type SignUpFormProps = { invitation?: { token: string; email: string } }

export function SignUpForm({ invitation }: SignUpFormProps) {
  const { instance } = useSession().data!
  const changed = useSessionChange()
  const [values, setValues] = useState({ name: '', email: invitation?.email ?? '', password: '' })
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const email = values.email.trim()
  const signUp = useMutation({
    mutationFn: () => {
      const input = { name: values.name.trim(), email, password: values.password }
      return ask('POST /sign-up', {
        input: invitation === undefined ? input : { ...input, invitation: invitation.token },
      })
    },
    onSuccess: ({ data }) => (data.is_signed_in ? changed() : undefined),
  })
  if (signUp.isSuccess && !signUp.data.data.is_signed_in) {
    return (
      <MailSent
        email={email}
        sentText={texts.mailSent(email)}
        onAgain={() => ask('POST /verify-email/resend', { input: { email } })}
      />
    )
  }
  const faults = errorsOf(signUp.error, 'invitation')
  return (
    <DoorFrame foot={instance.is_empty ? null : <SignInLink />}>
      <DoorHead
        title={instance.is_empty ? texts.firstTitle : texts.signUpTitle}
        lead={instance.is_empty ? texts.firstLead : texts.signUpLead(withoutScheme(instance.base_url))}
      />
      <Form error={signUp.error} onSubmit={() => signUp.mutate()}>
        {faults && <NoticeLine tone="bad">{faults.join(' ')}</NoticeLine>}
        <TextField
          label={texts.name}
          autoComplete="name"
          value={values.name}
          onText={(name) => set({ name })}
          errors={errorsOf(signUp.error, 'name')}
          autoFocus
        />
        <TextField
          label={texts.email}
          hint={invitation && texts.invitedHint}
          type="email"
          autoComplete="username"
          readOnly={invitation !== undefined}
          value={values.email}
          onText={(text) => set({ email: text })}
          errors={errorsOf(signUp.error, 'email')}
        />
        <PasswordField
          label={texts.password}
          hint={texts.passwordHint}
          autoComplete="new-password"
          value={values.password}
          onText={(password) => set({ password })}
          errors={errorsOf(signUp.error, 'password')}
        />
        <Button type="submit" look="primary" size="wide" isBusy={signUp.isPending}>
          {texts.createAccount}
        </Button>
      </Form>
    </DoorFrame>
  )
}
