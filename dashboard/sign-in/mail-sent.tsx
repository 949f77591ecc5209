import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useSession } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SignedOutFrame, SignedOutNotice } from './signed-out-frame.tsx'
import { SendAgain } from './send-again.tsx'
import { useTitle } from '../use-title.ts'

type MailSentProps = { email: string; sentText: string; onAgain: () => Promise<unknown> }

/** Without a mail server, it says where the operator finds the email. */
export function MailSent({ email, sentText, onAgain }: MailSentProps) {
  const sendsMail = useSession().data?.instance.sends_mail ?? true
  useTitle(sendsMail ? signedOutStrings.checkMail : signedOutStrings.outboxTitle)
  return (
    <SignedOutFrame foot={<Link href="/sign-in">{signedOutStrings.back}</Link>}>
      <MailCheck size={32} strokeWidth={1.5} className="soft" aria-hidden />
      {sendsMail ? (
        <>
          <SignedOutNotice title={signedOutStrings.checkMail} lead={sentText} />
          <p className="soft">{signedOutStrings.mailSentHint}</p>
        </>
      ) : (
        <>
          <SignedOutNotice title={signedOutStrings.outboxTitle} lead={signedOutStrings.outbox(email)} />
        </>
      )}
      {sendsMail && <SendAgain hasJustSent onAgain={onAgain} />}
    </SignedOutFrame>
  )
}
