import type { Counts, FiguresMeta, FiguresView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { exactTime, fullNumber, relativeTime } from '../format.ts'
import { StatTile } from '../parts/stat-tile.tsx'
import { laterWords } from '../later-words.ts'

export type Figures = { data: FiguresView; meta: FiguresMeta }

/** The sums of a time, against the time before; the same for one link and for all. Undefined while they are loading. */
export function FigureTiles({ figures }: { figures: Figures | undefined }) {
  const { data, meta } = figures ?? {}
  const { link: texts } = laterWords
  const over = data?.timeseries.slice(0, meta?.running_point ?? undefined)
  const compared = (which: keyof Counts) => figures && comparedIn(figures, which)
  return (
    <div className="tiles">
      <StatTile
        label={texts.clicks}
        value={data?.total_clicks}
        compared={compared('clicks')}
        series={over?.map(({ clicks }) => clicks)}
      />
      <StatTile
        label={texts.visitors}
        value={data?.unique_visitors}
        compared={compared('unique_visitors')}
        series={over?.map(({ unique_visitors }) => unique_visitors)}
        help={texts.visitorsHint}
      />
      <StatTile
        label={texts.today}
        value={data?.clicks_today}
        note={data && <LastClick at={data.last_clicked_at} />}
      />
      <StatTile
        label={texts.bots}
        value={data?.bot_clicks}
        compared={compared('bots')}
        isNeutral
        help={texts.botsHint}
      />
    </div>
  )
}

function comparedIn({ data: { comparison }, meta }: Figures, which: keyof Counts) {
  if (comparison === null) return undefined
  const { now, before, points } = comparison
  // Nothing is not new either.
  if (before === null && now[which] === 0) return undefined
  return { now: now[which], before: before && before[which], hint: comparedHint(meta, points) }
}

/** "Compares the 29 full days with the previous period." */
export const comparedHint = ({ granularity }: FiguresMeta, points: number): string =>
  laterWords.change.hints[granularity](fullNumber(points))

const LastClick = ({ at }: { at: string | null }) =>
  at === null ? (
    <span>{laterWords.link.never}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {laterWords.link.last(relativeTime(at))}
    </time>
  )
