import type { AnalyticsMeta, AnalyticsView, Counts } from '../../src/http/endpoints/browser-types.ts'
import { exactTime, fullNumber, relativeTime } from '../format.ts'
import { StatTile } from './stat-tile.tsx'
import { analyticsStrings } from './analytics-strings.ts'
import { changeStrings } from './change-strings.ts'
import '../components/charts/data.css'

export type Analytics = { data: AnalyticsView; meta: AnalyticsMeta }

export function StatTiles({ analytics }: { analytics: Analytics | undefined }) {
  const { data, meta } = analytics ?? {}
  const texts = analyticsStrings
  const over = data?.timeseries.slice(0, meta?.running_point ?? undefined)
  const compared = (which: keyof Counts) => analytics && comparedIn(analytics, which)
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

function comparedIn({ data: { comparison }, meta }: Analytics, which: keyof Counts) {
  if (comparison === null) return undefined
  const { now, before, points } = comparison
  // Zero clicks are not "new".
  if (before === null && now[which] === 0) return undefined
  return { now: now[which], before: before && before[which], hint: comparedHint(meta, points) }
}

/** "Compares the 29 full days with the previous period." */
export const comparedHint = ({ granularity }: AnalyticsMeta, points: number): string =>
  changeStrings.hints[granularity](fullNumber(points))

const LastClick = ({ at }: { at: string | null }) =>
  at === null ? (
    <span>{analyticsStrings.never}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {analyticsStrings.last(relativeTime(at))}
    </time>
  )
