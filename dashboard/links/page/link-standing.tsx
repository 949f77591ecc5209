import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { dayAndTime } from '../../later-format.ts'
import { Notice } from '../../components/states.tsx'
import { analyticsStrings } from '../../analytics/analytics-strings.ts'
import type { LinkActions } from '../link-actions.tsx'
import { shownStatus } from '../link-name.tsx'
import { TextButton } from '../../components/button.tsx'

const { standing } = analyticsStrings

/** Explains why visitors do not arrive at the destination, with the way out. */
export function LinkStanding({ link, actions }: { link: OwnLink; actions: LinkActions }) {
  const status = shownStatus(link)
  if (status === 'active') return null
  if (status === 'disabled') return <Notice>{standing.disabled}</Notice>
  if (status === 'blocked') {
    return (
      <Notice tone="warn">
        {standing.blocked}{' '}
        {actions.canWrite && <FixButton status={status} onSelect={() => actions.edit(link)} />}
      </Notice>
    )
  }
  const reason = {
    scheduled: () => standing.scheduled(dayAndTime(link.starts_at!)),
    expired: () => standing.expired(dayAndTime(link.expires_at!)),
    limit_reached: () => standing.limitReached,
  }[status]
  return (
    <Notice tone={status === 'scheduled' ? 'plain' : 'warn'}>
      {reason()} {link.fallback_url === null ? standing.notice : standing.fallback}{' '}
      {actions.canWrite && <FixButton status={status} onSelect={() => actions.edit(link, 'schedule')} />}
    </Notice>
  )
}

type FixButtonProps = { status: keyof typeof standing.actions; onSelect: () => void }

const FixButton = ({ status, onSelect }: FixButtonProps) => (
  <TextButton onClick={onSelect}>{standing.actions[status]}</TextButton>
)
