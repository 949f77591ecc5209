import { ShieldAlert } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { workspaceStrings } from '../workspaces/workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { useSessionRefresh } from '../workspaces/workspace-change.ts'
import { useTitle } from '../use-title.ts'

const { needsFactor: texts } = workspaceStrings

/** Shown instead of the pages of a workspace that requires a second factor, to a member without one. */
export default function TwoFactorFirstPage() {
  useTitle(texts.title)
  const { user } = useSignedIn()
  const [, navigate] = useLocation()
  const refresh = useSessionRefresh()
  const leave = useMutation({ mutationFn: () => ask('POST /workspace/leave'), onSuccess: refresh })
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
