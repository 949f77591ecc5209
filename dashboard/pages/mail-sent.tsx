import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useSession } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { SignedOutFrame, SignedOutNotice } from './signed-out-frame.tsx'
import { SendAgain } from './send-again.tsx'
import { useTitle } from './use-title.ts'

const { signedOut: texts } = lazyStrings

type MailSentProps = { email: string; sentText: string; onAgain: () => Promise<unknown> }

/** Without a mail server, it says where the operator finds the email. */
export function MailSent({ email, sentText, onAgain }: MailSentProps) {
  const sendsMail = useSession().data?.instance.sends_mail ?? true
  useTitle(sendsMail ? texts.checkMail : texts.outboxTitle)
  return (
    <SignedOutFrame foot={<Link href="/sign-in">{texts.back}</Link>}>
      <MailCheck size={32} strokeWidth={1.5} className="soft" aria-hidden />
      {sendsMail ? (
        <>
          <SignedOutNotice title={texts.checkMail} lead={sentText} />
          <p className="soft">{texts.mailSentHint}</p>
        </>
      ) : (
        <>
          <SignedOutNotice title={texts.outboxTitle} lead={texts.outbox(email)} />
        </>
      )}
      {sendsMail && <SendAgain hasJustSent onAgain={onAgain} />}
    </SignedOutFrame>
  )
}
