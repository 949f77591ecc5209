import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { errorsOf, FormFailure, Notice } from '../components/states.tsx'
import { useSession, useSessionChange } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import type { SignInState } from './sign-in-page.tsx'
import { useTitle } from './use-title.ts'

const { signedOut: texts } = lazyStrings

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
    title: texts.verifyTitle,
    lead: texts.verifyLead,
    confirm: (token) => ask('POST /verify-email', { input: { token } }),
    doneTitle: texts.verified,
    doneLead: texts.verifiedLead,
    again: texts.verifyAgain,
    goOn: { path: '/', label: texts.goOn },
  },
  change: {
    title: texts.confirmTitle,
    lead: texts.confirmLead,
    confirm: (token) => ask('POST /confirm-email', { input: { token } }),
    doneTitle: texts.confirmed,
    doneLead: texts.confirmedLead,
    again: texts.confirmAgain,
    goOn: { path: '/account', label: texts.goToAccount },
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
  const changed = useSessionChange()
  const verify = useMutation({ mutationFn: confirm, onSuccess: changed })
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
          <Notice tone="bad">{texts.tokenMissing}</Notice>
          <GoOn {...goOn} email="" />
        </>
      ) : (
        <Button variant="primary" size="wide" isBusy={verify.isPending} onClick={() => verify.mutate(token)}>
          {texts.verify}
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
      {isSignedIn ? label : texts.signIn}
    </Button>
  )
}
