import { useMutation, useQuery } from '@tanstack/react-query'
import type { InstanceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { CodeBlock } from '../components/copy.tsx'
import { errorsOf, Failed, Notice } from '../components/states.tsx'
import { RequestFailure } from '../api/request.ts'
import { useSession, useSessionChange } from '../use-session.ts'
import { signedOutStrings as texts } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { MailSent, useMailedToken } from './mail-sent.tsx'
import { useTitle } from '../use-title.ts'
import { Link } from 'wouter'
import { withoutScheme } from '../format.ts'
import { PasswordField, TextField } from '../components/fields/field.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { ProviderButtons } from './provider-buttons.tsx'

export default function SignUpPage() {
  useTitle(texts.signUp)
  const { instance } = useSession().data!
  const token = useMailedToken()
  if (instance.sign_up === 'closed') {
    return <NoSignUp instance={instance} title={texts.closedTitle} lead={texts.closed} />
  }
  if (token !== undefined) return <Invited key={token} token={token} />
  if (instance.sign_up === 'invite') {
    return <NoSignUp instance={instance} title={texts.inviteTitle} lead={texts.invite} />
  }
  return <SignUpForm />
}

type NoSignUpProps = { instance: InstanceView; title: string; lead: string }

/** Without any account, the reader is the operator. */
const NoSignUp = ({ instance, title, lead }: NoSignUpProps) => (
  <SignedOutFrame foot={<SignInLink />}>
    <SignedOutHeading title={title} lead={instance.is_empty ? texts.closedEmpty : lead} />
    {instance.is_empty && <CodeBlock text={texts.closedCommand} label={texts.commandLabel} />}
  </SignedOutFrame>
)

function Invited({ token }: { token: string }) {
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await ask('POST /invitations/read', { input: { token } })).data,
    staleTime: Infinity,
  })
  if (invitation.data) return <SignUpForm invitation={{ token, email: invitation.data.email }} />
  if (invitation.error === null) return null
  const isBad = invitation.error instanceof RequestFailure && invitation.error.kind === 'invalid'
  return (
    <SignedOutFrame foot={<SignInLink />}>
      {isBad ? (
        <SignedOutHeading title={texts.invitationBad} lead={texts.invitationBadLead} />
      ) : (
        <Failed heading="h1" query={invitation} />
      )}
    </SignedOutFrame>
  )
}

const SignInLink = () => (
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
  const { values, field } = useFields({ name: '', email: invitation?.email ?? '', password: '' })
  const email = values.email.trim()
  const onChanged = useSessionChange()
  const signUp = useMutation({
    mutationFn: () => {
      const { name, password } = values
      const input = {
        name: name.trim(),
        email,
        password,
        ...(invitation && { invitation: invitation.token }),
      }
      return ask('POST /sign-up', { input })
    },
    onSuccess: ({ data }) => (data.is_signed_in ? onChanged() : undefined),
  })
  if (signUp.isSuccess && !signUp.data.data.is_signed_in) {
    const sendAgain = () => ask('POST /verify-email/resend', { input: { email } })
    return <MailSent email={email} sentText={texts.mailSent(email)} onAgain={sendAgain} />
  }
  const errors = errorsOf(signUp.error, 'invitation')
  return (
    <SignedOutFrame foot={instance.is_empty ? null : <SignInLink />}>
      <SignedOutHeading
        title={instance.is_empty ? texts.firstTitle : texts.signUpTitle}
        lead={instance.is_empty ? texts.firstLead : texts.signUpLead(withoutScheme(instance.base_url))}
      />
      {!instance.providers_only && (
        <ChangeForm change={signUp} action={texts.createAccount} variant="primary" isWide>
          {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
          <TextField label={texts.name} autoComplete="name" {...field('name')} autoFocus />
          <TextField
            label={texts.email}
            hint={invitation && texts.invitedHint}
            type="email"
            autoComplete="username"
            readOnly={invitation !== undefined}
            {...field('email')}
          />
          <PasswordField
            label={texts.password}
            hint={texts.passwordHint}
            autoComplete="new-password"
            {...field('password')}
          />
        </ChangeForm>
      )}
      <ProviderButtons returnTo={returnTo} hasOr={!instance.providers_only} />
    </SignedOutFrame>
  )
}
