import { Component, type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import type { ClickPoint, CountryClicks } from '../../src/http/dashboard-api/dashboard-types.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import { NoticeLine } from './states.tsx'
import { Skeleton } from './skeleton.tsx'

// Charts and the map come when they are looked at: most visits only make a link.
const Chart = lazy(() => import('./series-chart.tsx'))
const Map = lazy(() => import('./world-map.tsx'))

const CHART_HEIGHT = 281

type SeriesProps = Omit<ComponentProps<typeof Chart>, 'points'> & { points: ClickPoint[] | undefined }

export const SeriesChart = ({ points, ...others }: SeriesProps) => (
  <Late height={CHART_HEIGHT}>
    {points === undefined ? (
      <Skeleton width="100%" height={CHART_HEIGHT} />
    ) : (
      <Chart points={points} {...others} />
    )}
  </Late>
)

export const WorldMap = ({ countries }: { countries: CountryClicks[] | undefined }) => (
  <div style={{ aspectRatio: '480 / 235' }}>
    <Late height="100%">
      {countries === undefined ? <Skeleton width="100%" height={180} /> : <Map countries={countries} />}
    </Late>
  </div>
)

const Late = ({ height, children }: { height: number | string; children: ReactNode }) => (
  <ReloadOffer>
    <Suspense fallback={<div style={{ height }} />}>{children}</Suspense>
  </ReloadOffer>
)

/** After an update of the server the parts of the old page are gone; the page itself has to be loaded again. */
export class ReloadOffer extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <NoticeLine tone="bad">
        {words.failure.newVersion}{' '}
        <Button size="small" onClick={() => location.reload()}>
          {words.failure.reload}
        </Button>
      </NoticeLine>
    )
  }
}
