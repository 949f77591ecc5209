import { strings } from '../strings.ts'
import { useMutation } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { CodeBlock } from '../components/copy.tsx'
import { TextField } from '../components/fields/field.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
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
        missing={email === '' ? strings.missing.email : undefined}
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
