import { ExternalLink, MousePointerClick } from 'lucide-react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { ClickAnalytics } from '../../analytics/click-analytics.tsx'
import { ButtonLink } from '../../components/button.tsx'
import type { LinkAddress } from '../link-address.ts'
import { Empty } from '../../components/states.tsx'
import { useLiveClicks } from '../../analytics/live-clicks.ts'
import { useDestinations } from '../history/use-versions.ts'
import { analyticsStrings } from '../../analytics/analytics-strings.ts'

type AnalyticsTabProps = { address: LinkAddress; link: OwnLink | undefined; onHistory: () => void }

/** The clicks of one link. */
export function AnalyticsTab({ address, link, onHistory }: AnalyticsTabProps) {
  const live = useLiveClicks()
  // What the link led to first is no change.
  const changes = useDestinations(link).data?.flatMap(({ version, since }) => (version > 1 ? since : []))
  return (
    <ClickAnalytics
      link={address}
      rules={link && (link.rules ?? [])}
      destinationChanges={changes}
      onHistory={onHistory}
      fileName={address.short_code}
      live={live.state}
      none={link && <NoClicks link={link} />}
    />
  )
}

const NoClicks = ({ link }: { link: OwnLink }) => (
  <div className="card">
    <Empty icon={MousePointerClick} title={analyticsStrings.emptyTitle} text={analyticsStrings.empty}>
      <ButtonLink icon={ExternalLink} href={link.short_url} target="_blank" rel="noreferrer">
        {analyticsStrings.open}
      </ButtonLink>
    </Empty>
  </div>
)
