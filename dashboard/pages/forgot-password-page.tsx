import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/copy.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { errorsOf } from '../parts/states.tsx'
import { useSession } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { MailSent } from './mail-sent.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = laterWords

export default function ForgotPasswordPage() {
  useTitle(texts.resetTitle)
  return useSession().data!.instance.sends_mail ? <MailForm /> : <NoMail />
}

const BackLink = () => <Link href="/sign-in">{texts.back}</Link>

/** Who is not sent a link is told who has one. */
const NoMail = () => (
  <DoorFrame foot={<BackLink />}>
    <DoorHead title={texts.resetTitle} lead={texts.resetNoMail} />
    <CodeBlock text={texts.resetCommand} label={texts.resetCommandLabel} />
  </DoorFrame>
)

/** The same is said whether the address has an account or not. */
function MailForm() {
  const [email, setEmail] = useState('')
  const wanted = email.trim()
  const askForMail = () => ask('POST /forgot-password', { input: { email: wanted } })
  const send = useMutation({ mutationFn: askForMail })
  if (send.isSuccess) {
    return <MailSent email={wanted} sentText={texts.resetSent(wanted)} onAgain={askForMail} />
  }
  return (
    <DoorFrame foot={<BackLink />}>
      <DoorHead title={texts.resetTitle} lead={texts.resetLead} />
      <Form error={send.error} onSubmit={() => send.mutate()}>
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          errors={errorsOf(send.error, 'email')}
          autoFocus
        />
        <Button type="submit" look="primary" size="wide" disabled={wanted === ''} isBusy={send.isPending}>
          {texts.sendLink}
        </Button>
      </Form>
    </DoorFrame>
  )
}
