import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { PasswordField, TextField } from '../components/fields/field.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { accountStrings } from '../account/account-strings.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { BackToSignIn, MailSent, useMailedToken } from './mail-sent.tsx'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from '../use-title.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { CodeBlock } from '../components/copy.tsx'

export default function ResetPasswordPage() {
  useTitle(signedOutStrings.newPasswordTitle)
  const token = useMailedToken()
  if (token !== undefined) return <NewPassword key={token} token={token} />
  return (
    <SignedOutFrame foot={<BackToSignIn />}>
      <SignedOutHeading title={signedOutStrings.newPasswordTitle} />
      <Notice tone="bad">{signedOutStrings.tokenMissing}</Notice>
      <Link href="/forgot-password">{signedOutStrings.askAgain}</Link>
    </SignedOutFrame>
  )
}

function NewPassword({ token }: { token: string }) {
  const { values, field } = useFields({ password: '' })
  const [, navigate] = useLocation()
  const onChanged = useSessionChange()
  const reset = useMutation({
    mutationFn: () => ask('POST /reset-password', { input: { token, ...values } }),
    onSuccess: onChanged,
  })
  if (reset.isSuccess) {
    const state: SignInState = { email: reset.data.data.email }
    return (
      <SignedOutFrame>
        <SignedOutNotice
          title={signedOutStrings.passwordSet}
          lead={signedOutStrings.passwordSetLead(state.email)}
        />
        <Button variant="primary" size="wide" onClick={() => navigate('/sign-in', { state })}>
          {signedOutStrings.signIn}
        </Button>
      </SignedOutFrame>
    )
  }
  const errors = errorsOf(reset.error, 'token')
  return (
    <SignedOutFrame foot={<BackToSignIn />}>
      <SignedOutHeading title={signedOutStrings.newPasswordTitle} lead={signedOutStrings.newPasswordLead} />
      {errors && (
        <Notice tone="bad">
          {errors.join(' ')} <Link href="/forgot-password">{signedOutStrings.askAgain}</Link>
        </Notice>
      )}
      <ChangeForm change={reset} action={signedOutStrings.setPassword} variant="primary" isWide>
        <PasswordField
          label={accountStrings.newPassword}
          hint={signedOutStrings.passwordHint}
          autoComplete="new-password"
          {...field('password')}
          autoFocus
        />
      </ChangeForm>
    </SignedOutFrame>
  )
}

export function ForgotPasswordPage() {
  useTitle(signedOutStrings.resetTitle)
  return useSession().data!.instance.sends_mail ? <MailForm /> : <NoMail />
}

/** Without a mail server: says who has the link. */
const NoMail = () => (
  <SignedOutFrame foot={<BackToSignIn />}>
    <SignedOutHeading title={signedOutStrings.resetTitle} lead={signedOutStrings.resetNoMail} />
    <CodeBlock text={signedOutStrings.resetCommand} label={signedOutStrings.resetCommandLabel} />
  </SignedOutFrame>
)

/** The same whether or not the email address has an account. */
function MailForm() {
  const { values, field } = useFields({ email: '' })
  const email = values.email.trim()
  const askForMail = () => ask('POST /forgot-password', { input: { email } })
  const send = useMutation({ mutationFn: askForMail })
  if (send.isSuccess)
    return <MailSent email={email} sentText={signedOutStrings.resetSent(email)} onAgain={askForMail} />
  return (
    <SignedOutFrame foot={<BackToSignIn />}>
      <SignedOutHeading title={signedOutStrings.resetTitle} lead={signedOutStrings.resetLead} />
      <ChangeForm
        change={send}
        action={signedOutStrings.sendLink}
        variant="primary"
        isWide
        missing={email === '' ? missingStrings.email : undefined}
      >
        <TextField
          label={signedOutStrings.email}
          type="email"
          autoComplete="username"
          {...field('email')}
          autoFocus
        />
      </ChangeForm>
    </SignedOutFrame>
  )
}
