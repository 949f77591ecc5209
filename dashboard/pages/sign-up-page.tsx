import { useQuery } from '@tanstack/react-query'
import type { InstanceView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { CodeBlock } from '../parts/copy.tsx'
import { Failed } from '../parts/states.tsx'
import { RequestFailure } from '../request.ts'
import { useSession } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import { SignInLink, SignUpForm } from './sign-up-form.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = laterWords

/** Open to anybody, by a mailed invitation, or closed. */
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

/** Where nobody is yet who could be asked, whoever runs the instance reads this. */
const NoSignUp = ({ instance, title, lead }: NoSignUpProps) => (
  <DoorFrame foot={<SignInLink />}>
    <DoorHead title={title} lead={instance.is_empty ? texts.closedEmpty : lead} />
    {instance.is_empty && <CodeBlock text={texts.closedCommand} label={texts.commandLabel} />}
  </DoorFrame>
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
    <DoorFrame foot={<SignInLink />}>
      {isBad ? (
        <DoorHead title={texts.invitationBad} lead={texts.invitationBadLead} />
      ) : (
        <Failed heading="h1" error={invitation.error} onRetry={() => void invitation.refetch()} />
      )}
    </DoorFrame>
  )
}
