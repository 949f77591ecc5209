import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Form } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { useSessionChange } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from './use-title.ts'

const { signedOut: texts } = lazyStrings

const BackLink = () => <Link href="/sign-in">{texts.back}</Link>

export default function ResetPasswordPage() {
  useTitle(texts.newPasswordTitle)
  const token = useMailedToken()
  if (token !== undefined) return <NewPassword key={token} token={token} />
  return (
    <SignedOutFrame foot={<BackLink />}>
      <SignedOutHeading title={texts.newPasswordTitle} />
      <Notice tone="bad">{texts.tokenMissing}</Notice>
      <Link href="/forgot-password">{texts.askAgain}</Link>
    </SignedOutFrame>
  )
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [, navigate] = useLocation()
  const changed = useSessionChange()
  const reset = useMutation({
    mutationFn: () => ask('POST /reset-password', { input: { token, password } }),
    onSuccess: changed,
  })
  if (reset.isSuccess) {
    const state: SignInState = { email: reset.data.data.email }
    return (
      <SignedOutFrame>
        <SignedOutNotice title={texts.passwordSet} lead={texts.passwordSetLead(state.email)} />
        <Button variant="primary" size="wide" onClick={() => navigate('/sign-in', { state })}>
          {texts.signIn}
        </Button>
      </SignedOutFrame>
    )
  }
  const errors = errorsOf(reset.error, 'token')
  return (
    <SignedOutFrame foot={<BackLink />}>
      <SignedOutHeading title={texts.newPasswordTitle} lead={texts.newPasswordLead} />
      {errors && (
        <Notice tone="bad">
          {errors.join(' ')} <Link href="/forgot-password">{texts.askAgain}</Link>
        </Notice>
      )}
      <Form error={reset.error} onSubmit={() => reset.mutate()}>
        <PasswordField
          label={lazyStrings.account.newPassword}
          hint={texts.passwordHint}
          autoComplete="new-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(reset.error, 'password')}
          autoFocus
        />
        <Button type="submit" variant="primary" size="wide" isBusy={reset.isPending}>
          {texts.setPassword}
        </Button>
      </Form>
    </SignedOutFrame>
  )
}
