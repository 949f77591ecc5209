import { strings } from '../strings.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { CodeBlock } from '../components/copy.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSession } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { BackToSignIn, MailSent } from './mail-sent.tsx'
import { useTitle } from '../use-title.ts'

export default function ForgotPasswordPage() {
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
  const [email, setEmail] = useState('')
  const emailAddress = email.trim()
  const askForMail = () => ask('POST /forgot-password', { input: { email: emailAddress } })
  const send = useMutation({ mutationFn: askForMail })
  if (send.isSuccess) {
    return (
      <MailSent
        email={emailAddress}
        sentText={signedOutStrings.resetSent(emailAddress)}
        onAgain={askForMail}
      />
    )
  }
  return (
    <SignedOutFrame foot={<BackToSignIn />}>
      <SignedOutHeading title={signedOutStrings.resetTitle} lead={signedOutStrings.resetLead} />
      <Form error={send.error} onSubmit={() => send.mutate()}>
        <TextField
          label={signedOutStrings.email}
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          errors={errorsOf(send.error, 'email')}
          autoFocus
        />
        <Button
          type="submit"
          variant="primary"
          size="wide"
          missing={emailAddress === '' ? strings.missing.email : undefined}
          isBusy={send.isPending}
        >
          {signedOutStrings.sendLink}
        </Button>
      </Form>
    </SignedOutFrame>
  )
}
