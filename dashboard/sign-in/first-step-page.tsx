import { useChange } from '../api/use-change.ts'
import { SESSION, useSignedIn } from '../use-session.ts'
import { MailCheck, ShieldAlert } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { ask } from '../api/api-client.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { SendAgain } from './mail-sent.tsx'
import { useTitle } from '../use-title.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { workspaceStrings } from '../workspaces/workspace-strings.ts'

/** What a user must do before anything else. */
export default function FirstStepPage() {
  const { is_verified: isVerified } = useSignedIn().user
  return isVerified ? <TwoFactorFirstPage /> : <ConfirmFirstPage />
}

/** Shown instead of pages that require a verified email address. */
function ConfirmFirstPage() {
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

const { needsFactor: texts } = workspaceStrings

/** Shown instead of the pages of a workspace that requires a second factor, to a member without one. */
function TwoFactorFirstPage() {
  useTitle(texts.title)
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const leave = useChange(() => ask('POST /workspace/leave'), { rereads: [SESSION] })
  return (
    <div className="card">
      <div className="empty">
        <ShieldAlert size={28} strokeWidth={1.5} aria-hidden />
        <h1>{texts.title}</h1>
        <p>{texts.text(user.workspace.name)}</p>
        <FormFailure error={leave.error} />
        <div className="actions">
          <Button variant="primary" onClick={() => navigate('/account/security')}>
            {texts.go}
          </Button>
          {user.workspace.role !== 'owner' && (
            <Button isBusy={leave.isPending} onClick={() => leave.mutate()}>
              {texts.leave}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
