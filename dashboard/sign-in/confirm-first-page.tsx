import { MailCheck } from 'lucide-react'
import { Link } from 'wouter'
import { ask } from '../api-client.ts'
import { useSignedIn } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SendAgain } from './send-again.tsx'
import { useTitle } from '../use-title.ts'

/** Shown instead of pages that require a verified email address. */
export default function ConfirmFirstPage() {
  useTitle(signedOutStrings.verifyTitle)
  const { user, instance } = useSignedIn()
  const { email } = user
  return (
    <div className="card">
      <div className="empty">
        <MailCheck size={28} strokeWidth={1.5} aria-hidden />
        <h1>{signedOutStrings.verifyTitle}</h1>
        <p>
          {(instance.sends_mail ? signedOutStrings.unverified : signedOutStrings.unverifiedOutbox)(email)}
        </p>
        <SendAgain
          hasJustSent={false}
          onAgain={() => ask('POST /verify-email/resend', { input: { email } })}
        />
        <p>
          {signedOutStrings.wrongEmail} <Link href="/account">{signedOutStrings.changeEmail}</Link>
        </p>
      </div>
    </div>
  )
}
