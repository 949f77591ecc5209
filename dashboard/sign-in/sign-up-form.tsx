import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { BrowserApi } from '../../src/http/endpoints/all-endpoints.ts'
import { ask } from '../api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form } from '../components/fields/form.tsx'
import { PasswordField } from '../components/fields/password-field.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { signedOutStrings as texts } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { MailSent } from './mail-sent.tsx'

export const SignInLink = () => (
  <>
    {texts.haveAccount} <Link href="/sign-in">{texts.signIn}</Link>
  </>
)

/**
 * `invitation`: the mailed token, and the only email address that it is valid for. `returnTo`: where a provider leads back to, if
 * not here.
 */
type SignUpFormProps = { invitation?: { token: string; email: string }; returnTo?: string }

export function SignUpForm({ invitation, returnTo }: SignUpFormProps) {
  const { instance } = useSession().data!
  const [values, setValues] = useState({ name: '', email: invitation?.email ?? '', password: '' })
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const email = values.email.trim()
  const signUp = useSignUp()
  if (signUp.isSuccess && !signUp.data.data.is_signed_in) {
    const sendAgain = () => ask('POST /verify-email/resend', { input: { email } })
    return <MailSent email={email} sentText={texts.mailSent(email)} onAgain={sendAgain} />
  }
  const submit = () =>
    signUp.mutate({
      name: values.name.trim(),
      email,
      password: values.password,
      ...(invitation && { invitation: invitation.token }),
    })
  const errors = errorsOf(signUp.error, 'invitation')
  return (
    <SignedOutFrame foot={instance.is_empty ? null : <SignInLink />}>
      <SignedOutHeading
        title={instance.is_empty ? texts.firstTitle : texts.signUpTitle}
        lead={instance.is_empty ? texts.firstLead : texts.signUpLead(withoutScheme(instance.base_url))}
      />
      {!instance.providers_only && (
        <Form error={signUp.error} onSubmit={submit}>
          {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
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
          <Button type="submit" variant="primary" size="wide" isBusy={signUp.isPending}>
            {texts.createAccount}
          </Button>
        </Form>
      )}
      <ProviderButtons returnTo={returnTo} hasOr={!instance.providers_only} />
    </SignedOutFrame>
  )
}

function useSignUp() {
  const onChanged = useSessionChange()
  return useMutation({
    mutationFn: (input: BrowserApi['POST /sign-up']['input']) => ask('POST /sign-up', { input }),
    onSuccess: ({ data }) => (data.is_signed_in ? onChanged() : undefined),
  })
}
