import { Component, type ComponentProps, type ReactNode, Suspense } from 'react'
import type { CountryClicks } from '../../src/http/endpoints/browser-types.ts'
import { map } from '../chunks/chunks.ts'
import { strings } from '../strings.ts'
import { Button } from './button.tsx'
import { Notice } from './states.tsx'
import { Skeleton } from './skeleton.tsx'

type WorldMapProps = Omit<ComponentProps<typeof map.default>, 'countries'> & {
  countries: CountryClicks[] | undefined
}

export const WorldMap = ({ countries, ...others }: WorldMapProps) => (
  <div style={{ aspectRatio: '480 / 235' }}>
    <ReloadOffer>
      <Suspense>
        {countries === undefined ? (
          <Skeleton width="100%" height={180} />
        ) : (
          <map.default countries={countries} {...others} />
        )}
      </Suspense>
    </ReloadOffer>
  </div>
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
