import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { ask } from '../api-client.ts'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { SendAgain } from './send-again.tsx'
import { useTitle } from './use-title.ts'

const { signedOut: texts } = lazyStrings

/** Shown instead of pages that require a verified email address. */
export default function ConfirmFirstPage() {
  useTitle(texts.verifyTitle)
  const { user, instance } = useSignedIn()
  const { email } = user
  return (
    <div className="card">
      <div className="empty">
        <MailCheck size={28} strokeWidth={1.5} aria-hidden />
        <h1>{texts.verifyTitle}</h1>
        <p>{(instance.sends_mail ? texts.unverified : texts.unverifiedOutbox)(email)}</p>
        <SendAgain
          hasJustSent={false}
          onAgain={() => ask('POST /verify-email/resend', { input: { email } })}
        />
        <p>
          {texts.wrongEmail} <Link href="/account">{texts.changeEmail}</Link>
        </p>
      </div>
    </div>
  )
}
