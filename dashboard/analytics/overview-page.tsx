import { ChartColumn } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { OverviewView } from '../../src/http/endpoints/browser-types.ts'
import { ClickAnalytics } from './click-analytics.tsx'
import { fullNumber } from '../format.ts'
import { useLiveClicks } from './live-clicks.ts'
import { LivePanel } from './live-panel.tsx'
import { Button } from '../components/button.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Empty } from '../components/states.tsx'
import { useOverview } from './analytics-queries.ts'
import { overviewStrings } from './analytics-strings.ts'
import { strings } from '../strings.ts'
import { writeListQuery } from '../links/list/list-query.ts'
import { NEEDS_ATTENTION, queryOf } from '../links/views/open-view.ts'
import { useLinkCounts } from '../links/views/view-queries.ts'
import { Page } from '../components/page.tsx'
import '../components/charts/data.css'

export default function OverviewPage() {
  const overview = useOverview()
  const live = useLiveClicks()
  const totals = overview.data?.overview
  return (
    <Page title={overviewStrings.title} action={overview.error === null && <Totals overview={totals} />}>
      {totals?.total_links === 0 && totals.total_clicks === 0 ? (
        <NoLinks />
      ) : (
        <ClickAnalytics
          fileName="all-links"
          live={live.state}
          beside={<LivePanel overview={overview} live={live} />}
        />
      )}
    </Page>
  )
}

function Totals({ overview }: { overview: OverviewView['overview'] | undefined }) {
  if (overview === undefined) {
    return (
      <p className="soft">
        <Skeleton width={300} height={14} />
      </p>
    )
  }
  const { total_clicks: clicks, total_links: links, active_links: active } = overview
  return (
    <p className="soft">
      {overviewStrings.totals(fullNumber(clicks), fullNumber(links), fullNumber(active))}
      <AttentionLink />
    </p>
  )
}

const URGENT = queryOf(NEEDS_ATTENTION)

/** To the view of the links that need it. Nothing where none does. */
function AttentionLink() {
  const [count = 0] = useLinkCounts([URGENT])
  if (count === 0) return null
  return (
    <>
      {' · '}
      <Link className="attention-link" href={`/?${writeListQuery(URGENT)}`}>
        {overviewStrings.needAttention(fullNumber(count))}
      </Link>
    </>
  )
}

function NoLinks() {
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty icon={ChartColumn} title={overviewStrings.emptyTitle} text={overviewStrings.empty}>
        <Button variant="primary" onClick={() => navigate('/?do=create')}>
          {strings.links.create}
        </Button>
      </Empty>
    </div>
  )
}
