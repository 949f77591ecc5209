import { Component, type ComponentProps, type ReactNode, Suspense } from 'react'
import type { ClickPoint, CountryClicks } from '../../src/http/endpoints/browser-types.ts'
import { chart, map } from '../chunks/chunks.ts'
import { strings } from '../strings.ts'
import { Button } from './button.tsx'
import { Notice } from './states.tsx'
import { Skeleton } from './skeleton.tsx'

const CHART_HEIGHT = 281

type SeriesProps = Omit<ComponentProps<typeof chart.default>, 'points'> & { points: ClickPoint[] | undefined }

export const SeriesChart = ({ points, ...others }: SeriesProps) => (
  <Late height={CHART_HEIGHT}>
    {points === undefined ? (
      <Skeleton width="100%" height={CHART_HEIGHT} />
    ) : (
      <chart.default points={points} {...others} />
    )}
  </Late>
)

type WorldMapProps = Omit<ComponentProps<typeof map.default>, 'countries'> & {
  countries: CountryClicks[] | undefined
}

export const WorldMap = ({ countries, ...others }: WorldMapProps) => (
  <div style={{ aspectRatio: '480 / 235' }}>
    <Late height="100%">
      {countries === undefined ? (
        <Skeleton width="100%" height={180} />
      ) : (
        <map.default countries={countries} {...others} />
      )}
    </Late>
  </div>
)

const Late = ({ height, children }: { height: number | string; children: ReactNode }) => (
  <ReloadOffer>
    <Suspense fallback={<div style={{ height }} />}>{children}</Suspense>
  </ReloadOffer>
)

type ReloadOfferProps = {
  children: ReactNode
  /** What the offer stands in. */
  around?: (offer: ReactNode) => ReactNode
}

/** After an update of the server, the chunks of the old page no longer exist. Only a reload helps. */
export class ReloadOffer extends Component<ReloadOfferProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const notice = (
      <Notice tone="bad">
        {strings.failure.newVersion}{' '}
        <Button size="small" onClick={() => location.reload()}>
          {strings.failure.reload}
        </Button>
      </Notice>
    )
    return this.props.around?.(notice) ?? notice
  }
}
