import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link as RouteLink } from 'wouter'
import type { ClickView } from '../../src/http/endpoints/browser-types.ts'
import { IconButton } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { hasFailed } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { fullNumber, relativeTime } from '../format.ts'
import { timeWithSeconds } from '../later-format.ts'
import { pageOf } from '../links/link-address.ts'
import { useNow } from '../use-now.ts'
import type { useOverview } from './analytics-queries.ts'
import { analyticsStrings, liveStrings as texts } from './analytics-strings.ts'
import { clicksOfLastMinute, type TotalAt } from './last-minute.ts'
import { latestFirst, type Live, RECENT_MAX } from './live-clicks.ts'
import { PanelFailure } from './stat-tiles.tsx'

const ROWS = 6
const COUNTED_EVERY_MS = 5_000
const ANNOUNCED_EVERY_MS = 10_000

type LivePanelProps = { overview: ReturnType<typeof useOverview>; live: Live }

/** Clicks as they arrive. They stand still on request, and while somebody points at them. */
export function LivePanel({ overview, live }: LivePanelProps) {
  const clicks = overview.data && latestFirst([...live.recent, ...overview.data.recent_clicks])
  const [isPaused, setPaused] = useState(false)
  const [kept, setKept] = useState<ClickView[]>()
  if (hasFailed(overview)) return <PanelFailure title={texts.title} query={overview} />
  const hold = () => setKept((before) => before ?? clicks)
  const release = () => {
    if (!isPaused) setKept(undefined)
  }
  const pause = () => {
    setPaused(!isPaused)
    setKept(isPaused ? undefined : clicks)
  }
  return (
    <Card
      title={texts.title}
      actions={
        <>
          {clicks && <LastMinute clicks={clicks} totals={live.totals} />}
          <IconButton
            label={isPaused ? texts.resume : texts.pause}
            icon={isPaused ? Play : Pause}
            onClick={pause}
          />
        </>
      }
    >
      {clicks?.length === 0 ? (
        <p className="hint">{texts.none}</p>
      ) : (
        <ol
          className="recent"
          aria-busy={clicks === undefined}
          onPointerEnter={hold}
          onPointerLeave={release}
          onFocus={hold}
          onBlur={release}
        >
          <LiveRows clicks={kept ?? clicks} arrived={live.recent} />
        </ol>
      )}
      <Arrivals shown={overview.data?.overview.total_clicks} clicks={live.totals.at(-1)?.clicks} />
    </Card>
  )
}

type LastMinuteProps = { clicks: ClickView[]; totals: readonly TotalAt[] }

function LastMinute({ clicks, totals }: LastMinuteProps) {
  const count = clicksOfLastMinute({ totals, clicks, clicksMax: RECENT_MAX }, useNow(COUNTED_EVERY_MS))
  const [latest] = clicks
  if (count === undefined || latest === undefined) return null
  return (
    <span className="soft cut recent-note">
      {count > 0
        ? texts.lastMinute(fullNumber(count))
        : analyticsStrings.last(relativeTime(latest.clicked_at))}
    </span>
  )
}

type LiveRowsProps = {
  /** Undefined while loading. */
  clicks: ClickView[] | undefined
  /** Clicks that arrived while the page was open. */
  arrived: ClickView[]
}

function LiveRows({ clicks, arrived }: LiveRowsProps) {
  if (clicks === undefined) return skeletonRows
  const newIds = new Set(arrived.map(({ id }) => id))
  return clicks
    .slice(0, ROWS)
    .map((click) => <LiveClick key={click.id} click={click} isNew={newIds.has(click.id)} />)
}

const LiveClick = ({ click, isNew }: { click: ClickView; isNew: boolean }) => (
  <li className={isNew ? 'is-new' : undefined}>
    <Time at={click.clicked_at}>{timeWithSeconds(click.clicked_at)}</Time>
    <span className="recent-click">
      {click.short_code === null || click.domain === null ? (
        texts.gone
      ) : (
        <RouteLink className="cut" href={pageOf({ short_code: click.short_code, domain: click.domain })}>
          {click.short_code}
        </RouteLink>
      )}
      <span className="soft cut">{detailsOf(click).join(' · ')}</span>
    </span>
  </li>
)

/** Where the visitor is, what with, and how they came if that is known. */
const detailsOf = ({ city, country, operating_system: system, browser, via, referrer }: ClickView) => [
  city ?? country,
  system,
  via === 'link' ? (referrer ?? browser) : analyticsStrings.ways[via],
]

const skeletonRows = Array.from({ length: ROWS }, (_, at) => (
  <li key={at}>
    <Skeleton width={52} height={16} />
    <Skeleton width={180} height={34} />
  </li>
))

/** `shown`: all clicks that the page shows; `clicks`: those that the stream knows. Undefined until they are known. */
type ArrivalsProps = { shown: number | undefined; clicks: number | undefined }

/** How many clicks have come, for those who hear the page, and not too often. */
function Arrivals({ shown, clicks }: ArrivalsProps) {
  const latest = useRef(clicks)
  const announced = useRef(shown)
  const [text, setText] = useState('')
  useEffect(() => {
    latest.current = clicks
    // The first total of the stream may include clicks that the page does not show yet.
    announced.current ??= shown
  }, [shown, clicks])
  useEffect(() => {
    const timer = setInterval(() => {
      const now = latest.current
      const before = announced.current
      if (now === undefined || before === undefined) return
      if (now > before) setText(texts.arrived(fullNumber(now - before)))
      announced.current = now
    }, ANNOUNCED_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="only-spoken" role="status">
      {text}
    </p>
  )
}
