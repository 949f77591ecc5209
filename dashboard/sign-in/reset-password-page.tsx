import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { PasswordField } from '../components/fields/password-field.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { useSessionChange } from '../use-session.ts'
import { accountStrings } from '../account/account-strings.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from '../use-title.ts'
import { BackToSignIn } from './mail-sent.tsx'

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
