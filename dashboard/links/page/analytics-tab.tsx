import { ExternalLink, MousePointerClick } from 'lucide-react'
import { useSearchParams } from 'wouter'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { ClickAnalytics } from '../../analytics/click-analytics.tsx'
import { PanelFailure, StatTiles } from '../../analytics/stat-tiles.tsx'
import { type Range, rangeQuery, readRange, writeRange } from '../../analytics/range.ts'
import { ButtonLink } from '../../components/button.tsx'
import type { LinkAddress } from '../../link-address.ts'
import { Empty } from '../../components/states.tsx'
import { useLiveClicks } from '../../live-clicks.ts'
import { useAnalytics } from '../../analytics/analytics-queries.ts'
import { useDestinations } from '../history/use-versions.ts'
import { analyticsStrings } from '../../analytics/analytics-strings.ts'
import { RangeLine } from '../../analytics/range-tools.tsx'

type AnalyticsTabProps = { address: LinkAddress; link: OwnLink | undefined; onHistory: () => void }

/** The clicks of one link. */
export function AnalyticsTab({ address: { short_code, domain }, link, onHistory }: AnalyticsTabProps) {
  const [parameters, setParameters] = useSearchParams()
  const range = readRange(parameters)
  const clicks = useAnalytics({ ...rangeQuery(range), short_code, domain })
  const live = useLiveClicks()
  // What the link led to first is no change.
  const changes = useDestinations(link).data?.flatMap(({ version, since }) => (version > 1 ? since : []))
  const setRange = (change: Partial<Range>) => setParameters(writeRange({ ...range, ...change }))
  return (
    <>
      <RangeLine range={range} onRange={setRange} meta={clicks.data?.meta} live={live.state} />
      <LinkAnalytics
        {...{ code: short_code, link, clicks, range }}
        onRange={setRange}
        destinationChanges={changes}
        onHistory={onHistory}
      />
    </>
  )
}

type LinkAnalyticsProps = {
  code: string
  link: OwnLink | undefined
  clicks: ReturnType<typeof useAnalytics>
  range: Range
  onRange: (change: Partial<Range>) => void
  destinationChanges: readonly string[] | undefined
  onHistory: () => void
}

function LinkAnalytics({ code, link, clicks, range, onRange, ...changes }: LinkAnalyticsProps) {
  const analytics = clicks.data?.data
  if (clicks.error !== null && analytics === undefined) {
    return <PanelFailure title={analyticsStrings.chart} query={clicks} />
  }
  const hasNone = analytics !== undefined && analytics.last_clicked_at === null && analytics.bot_clicks === 0
  return (
    <div className="analytics" aria-busy={clicks.isPlaceholderData}>
      <StatTiles analytics={clicks.data} />
      {hasNone && link ? (
        <NoClicks link={link} />
      ) : (
        <ClickAnalytics
          analytics={analytics}
          meta={clicks.data?.meta}
          isOneLink
          {...changes}
          range={range}
          onRange={onRange}
          fileName={code}
        />
      )}
    </div>
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
