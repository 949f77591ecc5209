import { Link as RouteLink } from 'wouter'
import type { ClickView } from '../../src/http/endpoints/browser-types.ts'
import { timeOfDay } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { Card } from '../components/card.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { pageOf } from '../link-address.ts'
import { analyticsStrings } from './analytics-strings.ts'
import { overviewStrings } from './overview-strings.ts'
import '../components/charts/data.css'
import { Time } from '../components/time.tsx'

const ROWS = 8

type LiveListProps = {
  /** Latest first. Undefined while loading. */
  clicks: ClickView[] | undefined
  /** Clicks that arrived while the page was open. */
  arrived: ClickView[]
}

export function LiveList({ clicks, arrived }: LiveListProps) {
  const newIds = new Set(arrived.map(({ id }) => id))
  return (
    <Card title={overviewStrings.recent}>
      {clicks?.length === 0 ? (
        <p className="hint">{overviewStrings.recentEmpty}</p>
      ) : (
        <ol className="recent" aria-busy={clicks === undefined}>
          {clicks === undefined
            ? skeletonRows
            : clicks
                .slice(0, ROWS)
                .map((click) => <LiveClick key={click.id} click={click} isNew={newIds.has(click.id)} />)}
        </ol>
      )}
    </Card>
  )
}

const LiveClick = ({ click, isNew }: { click: ClickView; isNew: boolean }) => (
  <li className={isNew ? 'is-new' : undefined}>
    <Time at={click.clicked_at}>{timeOfDay(click.clicked_at)}</Time>
    <span className="cut">
      {click.short_code === null || click.domain === null ? (
        overviewStrings.gone
      ) : (
        <RouteLink href={pageOf({ short_code: click.short_code, domain: click.domain })}>
          {click.short_code}
        </RouteLink>
      )}{' '}
      {!click.is_bot && (
        <span className="soft">
          {[click.country, click.browser, click.referrer ?? analyticsStrings.direct].join(' · ')}
        </span>
      )}
    </span>
    {click.is_bot ? <Badge>{overviewStrings.bot}</Badge> : <span />}
  </li>
)

const skeletonRows = Array.from({ length: ROWS }, (_, at) => (
  <li key={at}>
    <Skeleton width={28} height={16} />
    <Skeleton width={180} height={16} />
    <Skeleton width={40} height={16} />
  </li>
))
