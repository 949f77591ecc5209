import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { ask, type DataOf } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { errorsOf, Failed, FormFailure, Notice } from '../components/states.tsx'
import { RequestFailure } from '../api/request.ts'
import { workspaceStrings } from '../workspaces/workspace-strings.ts'
import { useSession, useSignedIn, useSignOut, useWorkspaceChange } from '../use-session.ts'
import { useMailedToken } from './mail-sent.tsx'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { SignUpForm } from './sign-up-page.tsx'
import SignInPage from './sign-in-page.tsx'
import { useTitle } from '../use-title.ts'

const { accept: texts, roles } = workspaceStrings

type Invitation = DataOf<'POST /invitations/read'>
type Workspace = NonNullable<Invitation['workspace']>

/** Where the link of an invitation into a workspace leads. */
export default function InvitationPage() {
  useTitle(texts.title)
  const token = useMailedToken()
  return token === undefined ? <BadInvitation /> : <Invited key={token} token={token} />
}

function Invited({ token }: { token: string }) {
  const invitation = useQuery({
    queryKey: ['session', 'invitation', token],
    queryFn: async () => (await ask('POST /invitations/read', { input: { token } })).data,
    staleTime: Infinity,
    retry: false,
  })
  if (invitation.data?.workspace) {
    return <Accept token={token} email={invitation.data.email} workspace={invitation.data.workspace} />
  }
  if (invitation.error === null && invitation.data === undefined) return null
  const isBad = invitation.error instanceof RequestFailure && invitation.error.kind === 'invalid'
  if (isBad || invitation.data) return <BadInvitation />
  return (
    <SignedOutFrame>
      <Failed heading="h1" query={invitation} />
    </SignedOutFrame>
  )
}

function BadInvitation() {
  const [, navigate] = useLocation()
  return (
    <SignedOutFrame>
      <SignedOutHeading title={texts.bad} lead={texts.badLead} />
      <Button size="wide" onClick={() => navigate('/')}>
        {texts.home}
      </Button>
    </SignedOutFrame>
  )
}

type AcceptProps = { token: string; email: string; workspace: Workspace }

/** The reader is signed in, has an account, or makes one: the page does not tell which, and offers all. */
function Accept({ token, email, workspace }: AcceptProps) {
  const { user } = useSession().data!
  const [way, setWay] = useState<'sign-in' | 'sign-up'>()
  const returnTo = `/invitation#${token}`
  if (user !== null && way === 'sign-up') return <Joined />
  if (user !== null) return <Join token={token} email={email} workspace={workspace} own={user.email} />
  if (way === 'sign-up') return <SignUpForm invitation={{ token, email }} returnTo={returnTo} />
  if (way === 'sign-in') return <SignInPage email={email} returnTo={returnTo} />
  return (
    <SignedOutFrame>
      <InvitationHeading email={email} workspace={workspace} />
      <Button variant="primary" size="wide" onClick={() => setWay('sign-in')}>
        {texts.signIn}
      </Button>
      <Button size="wide" onClick={() => setWay('sign-up')}>
        {texts.signUp}
      </Button>
    </SignedOutFrame>
  )
}

/** Signing up has used the invitation. The new user begins in the workspace that it was for, not in their own. */
function Joined() {
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const enter = useEffectEvent(() => {
    const otherWorkspace = user.workspaces.find(({ role }) => role !== 'owner')
    navigate('/')
    if (otherWorkspace) void change(otherWorkspace.id).catch(() => {})
  })
  useEffect(() => enter(), [])
  return null
}

const InvitationHeading = ({ email, workspace }: Pick<AcceptProps, 'email' | 'workspace'>) => (
  <>
    <SignedOutHeading title={texts.title} lead={texts.lead(workspace.invited_by, workspace.name)} />
    <p>{texts.role(roles[workspace.role], email)}</p>
  </>
)

function Join({ token, email, workspace, own }: AcceptProps & { own: string }) {
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const join = useMutation({
    mutationFn: async () =>
      change((await ask('POST /invitations/accept', { input: { token } })).data.workspace_id),
    onSuccess: () => navigate('/'),
  })
  const signOut = useSignOut(() => {})
  const errors = errorsOf(join.error, 'token')
  if (own !== email) {
    return (
      <SignedOutFrame>
        <SignedOutHeading title={texts.title} lead={texts.lead(workspace.invited_by, workspace.name)} />
        <Notice tone="warn">{texts.otherAccount(email, own)}</Notice>
        <Button size="wide" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          {texts.signOut}
        </Button>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame>
      <InvitationHeading email={email} workspace={workspace} />
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      <FormFailure error={join.error} />
      <Button variant="primary" size="wide" isBusy={join.isPending} onClick={() => join.mutate()}>
        {texts.join}
      </Button>
    </SignedOutFrame>
  )
}
