import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { errorsOf, NoticeLine } from '../parts/states.tsx'
import { useSessionChange } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorHead, DoorNews } from './door-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = laterWords

const BackLink = () => <Link href="/sign-in">{texts.back}</Link>

/** Where the mail about a forgotten password leads. */
export default function ResetPasswordPage() {
  useTitle(texts.newPasswordTitle)
  const token = useMailedToken()
  if (token !== undefined) return <NewPassword key={token} token={token} />
  return (
    <DoorFrame foot={<BackLink />}>
      <DoorHead title={texts.newPasswordTitle} />
      <NoticeLine tone="bad">{texts.tokenMissing}</NoticeLine>
      <Link href="/forgot-password">{texts.askAgain}</Link>
    </DoorFrame>
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
      <DoorFrame>
        <DoorNews title={texts.passwordSet} lead={texts.passwordSetLead(state.email)} />
        <Button look="primary" size="wide" onClick={() => navigate('/sign-in', { state })}>
          {texts.signIn}
        </Button>
      </DoorFrame>
    )
  }
  const faults = errorsOf(reset.error, 'token')
  return (
    <DoorFrame foot={<BackLink />}>
      <DoorHead title={texts.newPasswordTitle} lead={texts.newPasswordLead} />
      {faults && (
        <NoticeLine tone="bad">
          {faults.join(' ')} <Link href="/forgot-password">{texts.askAgain}</Link>
        </NoticeLine>
      )}
      <Form error={reset.error} onSubmit={() => reset.mutate()}>
        <PasswordField
          label={laterWords.account.newPassword}
          hint={texts.passwordHint}
          autoComplete="new-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(reset.error, 'password')}
          autoFocus
        />
        <Button type="submit" look="primary" size="wide" isBusy={reset.isPending}>
          {texts.setPassword}
        </Button>
      </Form>
    </DoorFrame>
  )
}
