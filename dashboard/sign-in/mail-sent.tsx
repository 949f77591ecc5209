import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useSession } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutNotice } from './signed-out-frame.tsx'
import { useTitle } from '../use-title.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { waitText } from '../format.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { RequestFailure } from '../api/request.ts'

export const BackToSignIn = () => <Link href="/sign-in">{signedOutStrings.back}</Link>

type MailSentProps = { email: string; sentText: string; onAgain: () => Promise<unknown> }

/** Without a mail server, it says where the operator finds the email. */
export function MailSent({ email, sentText, onAgain }: MailSentProps) {
  const sendsMail = useSession().data?.instance.sends_mail ?? true
  useTitle(sendsMail ? signedOutStrings.checkMail : signedOutStrings.outboxTitle)
  return (
    <SignedOutFrame foot={<BackToSignIn />}>
      <MailCheck size={32} strokeWidth={1.5} className="soft" aria-hidden />
      {sendsMail ? (
        <>
          <SignedOutNotice title={signedOutStrings.checkMail} lead={sentText} />
          <p className="soft">{signedOutStrings.mailSentHint}</p>
        </>
      ) : (
        <SignedOutNotice title={signedOutStrings.outboxTitle} lead={signedOutStrings.outbox(email)} />
      )}
      {sendsMail && <SendAgain hasJustSent onAgain={onAgain} />}
    </SignedOutFrame>
  )
}

/** The server sends three emails an hour to one address, and quick presses would use them up. */
const WAIT_SECONDS = 60

type SendAgainProps = { onAgain: () => Promise<unknown>; hasJustSent: boolean }

/** Sends the email again after a wait. After a 429, as long as the server says. */
export function SendAgain({ onAgain, hasJustSent }: SendAgainProps) {
  const [wait, setWait] = useState(hasJustSent ? WAIT_SECONDS : 0)
  const again = useMutation({
    mutationFn: onAgain,
    onSettled: (_, error) =>
      setWait((error instanceof RequestFailure && error.details.retryAfterSeconds) || WAIT_SECONDS),
  })
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  return (
    <>
      <FormFailure error={again.error} />
      <div className="actions">
        <Button disabled={wait > 0} isBusy={again.isPending} onClick={() => again.mutate()}>
          {wait > 0 ? signedOutStrings.againIn(waitText(wait)) : signedOutStrings.again}
        </Button>
        <span className="soft" role="status">
          {again.isSuccess ? signedOutStrings.sentAgain : ''}
        </span>
      </div>
    </>
  )
}

/** The token of a mailed link, from the fragment, which browsers do not send. It is removed from URL and history. */
export function useMailedToken(): string | undefined {
  const [token, setToken] = useState(readToken)
  // Not during rendering, which may be discarded and repeated, and would then find no token.
  useEffect(() => {
    const readOnce = () => {
      const token = readToken()
      if (token === undefined) return
      setToken(token)
      history.replaceState(history.state, '', location.pathname)
    }
    readOnce()
    // Opening such a link on the same page changes the fragment only.
    addEventListener('hashchange', readOnce)
    return () => removeEventListener('hashchange', readOnce)
  }, [])
  return token
}

const readToken = (): string | undefined => location.hash.slice(1) || undefined
