import type { FiguresView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { exactTime, relativeTime } from '../format.ts'
import { StatTile } from '../parts/stat-tile.tsx'
import { laterWords } from '../later-words.ts'

type FigureTilesProps = {
  /** Undefined while they are loading. */
  figures: FiguresView | undefined
  /** Clicks since midnight. */
  today: number | undefined
}

/** The sums of a time, against the time before; the same for one link and for all. */
export function FigureTiles({ figures, today }: FigureTilesProps) {
  const { previous, timeseries } = figures ?? {}
  return (
    <div className="tiles">
      <StatTile
        label={laterWords.link.clicks}
        value={figures?.total_clicks}
        before={previous?.clicks}
        series={timeseries?.map(({ clicks }) => clicks)}
      />
      <StatTile
        label={laterWords.link.visitors}
        value={figures?.unique_visitors}
        before={previous?.unique_visitors}
        series={timeseries?.map(({ unique_visitors }) => unique_visitors)}
        help={laterWords.link.visitorsHint}
      />
      <StatTile
        label={laterWords.link.today}
        value={today}
        note={figures && <LastClick at={figures.last_clicked_at} />}
      />
      <StatTile
        label={laterWords.link.bots}
        value={figures?.bot_clicks}
        before={previous?.bots}
        isNeutral
        help={laterWords.link.botsHint}
      />
    </div>
  )
}

const LastClick = ({ at }: { at: string | null }) =>
  at === null ? (
    <span>{laterWords.link.never}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {laterWords.link.last(relativeTime(at))}
    </time>
  )
