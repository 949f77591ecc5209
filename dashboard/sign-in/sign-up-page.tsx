import { useQuery } from '@tanstack/react-query'
import type { InstanceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { CodeBlock } from '../components/copy.tsx'
import { Failed } from '../components/states.tsx'
import { RequestFailure } from '../request.ts'
import { useSession } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import { SignInLink, SignUpForm } from './sign-up-form.tsx'
import { useTitle } from '../use-title.ts'

export default function SignUpPage() {
  useTitle(signedOutStrings.signUp)
  const { instance } = useSession().data!
  const token = useMailedToken()
  if (instance.sign_up === 'closed') {
    return (
      <NoSignUp instance={instance} title={signedOutStrings.closedTitle} lead={signedOutStrings.closed} />
    )
  }
  if (token !== undefined) return <Invited key={token} token={token} />
  if (instance.sign_up === 'invite') {
    return (
      <NoSignUp instance={instance} title={signedOutStrings.inviteTitle} lead={signedOutStrings.invite} />
    )
  }
  return <SignUpForm />
}

type NoSignUpProps = { instance: InstanceView; title: string; lead: string }

/** Without any account, the reader is the operator. */
const NoSignUp = ({ instance, title, lead }: NoSignUpProps) => (
  <SignedOutFrame foot={<SignInLink />}>
    <SignedOutHeading title={title} lead={instance.is_empty ? signedOutStrings.closedEmpty : lead} />
    {instance.is_empty && (
      <CodeBlock text={signedOutStrings.closedCommand} label={signedOutStrings.commandLabel} />
    )}
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
        <SignedOutHeading title={signedOutStrings.invitationBad} lead={signedOutStrings.invitationBadLead} />
      ) : (
        <Failed heading="h1" query={invitation} />
      )}
    </SignedOutFrame>
  )
}
