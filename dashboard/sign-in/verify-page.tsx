import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { errorsOf, FormFailure, Notice } from '../components/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { useMailedToken } from './mail-sent.tsx'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from '../use-title.ts'

type Kind = {
  title: string
  lead: string
  confirm(token: string): Promise<{ data: { email: string } }>
  doneTitle: string
  doneLead(email: string): string
  /** What to do if the link is no longer valid. */
  again: string
  goOn: { path: string; label: string }
}

/** Verifies the email address of a new account, or a changed one. */
const KINDS: Record<'verify' | 'change', Kind> = {
  verify: {
    title: signedOutStrings.verifyTitle,
    lead: signedOutStrings.verifyLead,
    confirm: (token) => ask('POST /verify-email', { input: { token } }),
    doneTitle: signedOutStrings.verified,
    doneLead: signedOutStrings.verifiedLead,
    again: signedOutStrings.verifyAgain,
    goOn: { path: '/', label: signedOutStrings.goOn },
  },
  change: {
    title: signedOutStrings.confirmTitle,
    lead: signedOutStrings.confirmLead,
    confirm: (token) => ask('POST /confirm-email', { input: { token } }),
    doneTitle: signedOutStrings.confirmed,
    doneLead: signedOutStrings.confirmedLead,
    again: signedOutStrings.confirmAgain,
    goOn: { path: '/account', label: signedOutStrings.goToAccount },
  },
}

type KindName = keyof typeof KINDS

export default function VerifyPage({ kind }: { kind: KindName }) {
  useTitle(KINDS[kind].title)
  const token = useMailedToken()
  return <Verification key={token} kind={kind} token={token} />
}

/** Opening the link only shows a button, because mail scanners open links too. */
function Verification({ kind, token }: { kind: KindName; token: string | undefined }) {
  const { title, lead, confirm, doneTitle, doneLead, again, goOn } = KINDS[kind]
  const onChanged = useSessionChange()
  const verify = useMutation({ mutationFn: confirm, onSuccess: onChanged })
  const errors = errorsOf(verify.error, 'token')
  if (verify.isSuccess) {
    const { email } = verify.data.data
    return (
      <SignedOutFrame>
        <SignedOutNotice title={doneTitle} lead={doneLead(email)} />
        <GoOn {...goOn} email={email} />
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame>
      <SignedOutHeading title={title} lead={errors || token === undefined ? undefined : lead} />
      <FormFailure error={verify.error} />
      {errors ? (
        <>
          <Notice tone="bad">{errors.join(' ')}</Notice>
          <p>{again}</p>
          <GoOn {...goOn} email="" />
        </>
      ) : token === undefined ? (
        <>
          <Notice tone="bad">{signedOutStrings.tokenMissing}</Notice>
          <GoOn {...goOn} email="" />
        </>
      ) : (
        <Button variant="primary" size="wide" isBusy={verify.isPending} onClick={() => verify.mutate(token)}>
          {signedOutStrings.verify}
        </Button>
      )}
    </SignedOutFrame>
  )
}

type GoOnProps = { path: string; label: string; email: string }

/** The email may have been opened in a browser without a session. */
function GoOn({ path, label, email }: GoOnProps) {
  const [, navigate] = useLocation()
  const isSignedIn = useSession().data?.user != null
  const state: SignInState = { email }
  const go = () => (isSignedIn ? navigate(path) : navigate('/sign-in', { state }))
  return (
    <Button variant="primary" size="wide" onClick={go}>
      {isSignedIn ? label : signedOutStrings.signIn}
    </Button>
  )
}
