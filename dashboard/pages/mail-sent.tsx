import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useSession } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { DoorFrame, DoorNews } from './door-frame.tsx'
import { SendAgain } from './send-again.tsx'
import { useTitle } from './use-title.ts'

const { doors: texts } = laterWords

type MailSentProps = { email: string; sentText: string; onAgain: () => Promise<unknown> }

/** Where the mail went, and how to have it sent again; without a mail server, where the operator finds it. */
export function MailSent({ email, sentText, onAgain }: MailSentProps) {
  const sendsMail = useSession().data?.instance.sends_mail ?? true
  useTitle(sendsMail ? texts.checkMail : texts.outboxTitle)
  return (
    <DoorFrame foot={<Link href="/sign-in">{texts.back}</Link>}>
      <MailCheck size={32} strokeWidth={1.5} className="soft" aria-hidden />
      {sendsMail ? (
        <>
          <DoorNews title={texts.checkMail} lead={sentText} />
          <p className="soft">{texts.mailSentHint}</p>
        </>
      ) : (
        <>
          <DoorNews title={texts.outboxTitle} lead={texts.outbox(email)} />
        </>
      )}
      {sendsMail && <SendAgain hasJustSent onAgain={onAgain} />}
    </DoorFrame>
  )
}
