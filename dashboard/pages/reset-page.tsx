import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { useSession } from '../queries.ts'
import { words } from '../words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import { MailSent } from './mail-sent.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = words

const BackLink = () => <Link href="/sign-in">{texts.back}</Link>

/** Without a token it asks where to send one, with a token it takes the new password. */
export default function ResetPage() {
  useTitle(texts.resetTitle)
  const token = useMailedToken()
  return token === undefined ? <AskForLink /> : <NewPassword token={token} />
}

function AskForLink() {
  const { data: session } = useSession()
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: api.sendReset })
  if (send.isSuccess) {
    return (
      <MailSent
        text={texts.resetSent(email)}
        hasMailServer={session?.instance.mail !== 'outbox'}
        onAgain={() => api.sendReset(email.trim())}
      />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(email.trim())
  }
  return (
    <DoorFrame foot={<BackLink />}>
      <DoorHead title={texts.resetTitle} lead={texts.resetLead} />
      <form className="form" onSubmit={submit} noValidate>
        <FormFailure error={send.error} />
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          errors={errorsOf(send.error, 'email')}
          autoFocus
        />
        <Button type="submit" look="primary" size="wide" isBusy={send.isPending}>
          {texts.sendLink}
        </Button>
      </form>
    </DoorFrame>
  )
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [, navigate] = useLocation()
  const reset = useMutation({ mutationFn: api.resetPassword })
  if (reset.isSuccess) {
    return (
      <DoorFrame>
        <DoorHead title={texts.passwordSet} />
        <Button look="primary" size="wide" onClick={() => navigate('/sign-in')}>
          {texts.signIn}
        </Button>
      </DoorFrame>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    reset.mutate({ token, password })
  }
  return (
    <DoorFrame foot={<BackLink />}>
      <DoorHead title={texts.newPasswordTitle} lead={texts.newPasswordLead} />
      <form className="form" onSubmit={submit} noValidate>
        <FormFailure error={reset.error} />
        <TextField
          label={words.account.newPassword}
          hint={texts.passwordHint}
          type="password"
          autoComplete="new-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(reset.error, 'password', 'token')}
          autoFocus
        />
        <Button type="submit" look="primary" size="wide" isBusy={reset.isPending}>
          {texts.setPassword}
        </Button>
      </form>
    </DoorFrame>
  )
}
