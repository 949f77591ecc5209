import type { AnalyticsMeta, AnalyticsView, Counts } from '../../src/http/endpoints/browser-types.ts'
import { exactTime, fullNumber, relativeTime, shortNumber } from '../format.ts'
import { percentChange } from '../later-format.ts'
import { analyticsStrings, changeStrings, importedStrings } from './analytics-strings.ts'
import '../components/charts/data.css'
import { CircleHelp, TrendingDown, TrendingUp } from 'lucide-react'
import { type ComponentProps, type ReactNode, use } from 'react'
import { ClickFilterContext } from './filter-context.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { chartStrings } from '../components/charts/chart-strings.ts'
import type { Measure } from '../components/charts/measures.ts'
import { Tooltip } from '../components/tooltip.tsx'
import { Card } from '../components/card.tsx'
import { Failed } from '../components/states.tsx'

type Analytics = { data: AnalyticsView; meta: AnalyticsMeta }

type StatTilesProps = {
  analytics: Analytics | undefined
  /** The one that the chart draws. */
  measure: Measure
  onMeasure: (measure: Measure) => void
}

export function StatTiles({ analytics, measure, onMeasure }: StatTilesProps) {
  const { data } = analytics ?? {}
  const texts = analyticsStrings
  const isFiltered = Object.keys(use(ClickFilterContext).filters).length > 0
  const chosenBy = (name: Measure) => ({
    label: chartStrings.measures[name],
    compared: analytics && comparedIn(analytics, name),
    isChosen: name === measure,
    onChoose: () => onMeasure(name),
  })
  return (
    <div className="tiles">
      <StatTile
        {...chosenBy('clicks')}
        value={data && data.total_clicks + (data.imported?.clicks ?? 0)}
        imported={data?.imported?.clicks}
      />
      <StatTile {...chosenBy('unique_visitors')} value={data?.unique_visitors} help={texts.visitorsHint} />
      <StatTile {...chosenBy('qr_scans')} value={data?.qr_scans} help={texts.qrHint} />
      <StatTile
        label={texts.today}
        value={data?.clicks_today}
        // It is of all clicks, and under filters the number is of some.
        note={data && !isFiltered && <LastClick at={data.last_clicked_at} />}
      />
      {isFiltered ? (
        <StatTile label={chartStrings.measures.bots} value={null} help={texts.botsUnknown} />
      ) : (
        <StatTile {...chosenBy('bots')} value={data?.bot_clicks} isNeutral help={texts.botsHint} />
      )}
    </div>
  )
}

function comparedIn({ data: { comparison }, meta }: Analytics, which: keyof Counts) {
  if (comparison === null) return undefined
  const { now, before } = comparison
  // Zero clicks are not "new".
  if (before === null && now[which] === 0) return undefined
  return { now: now[which], before: before && before[which], hint: comparedHint(meta, comparison) }
}

/** "Compares the 29 full days with the previous period." */
export const comparedHint = (
  { granularity }: AnalyticsMeta,
  { points, compare }: NonNullable<AnalyticsView['comparison']>,
): string => changeStrings.hint(changeStrings.steps[granularity](fullNumber(points)), compare)

const LastClick = ({ at }: { at: string | null }) =>
  at === null ? (
    <span>{analyticsStrings.never}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {analyticsStrings.last(relativeTime(at))}
    </time>
  )

type StatTileProps = {
  label: string
  /** Undefined while loading, null if nobody can know it. */
  value: number | null | undefined
  compared?: (Compared & { hint: string }) | undefined
  /** No color: a higher value is neither good nor bad. */
  isNeutral?: boolean
  /** Whether the chart draws it. */
  isChosen?: boolean
  onChoose?: () => void
  help?: string
  /** Instead of the change. */
  note?: ReactNode
  /** Of the value, what another program had counted. Changes are those of the rest. */
  imported?: number | undefined
}

function StatTile({ label, value, compared, isNeutral = false, note, ...rest }: StatTileProps) {
  const { isChosen, onChoose, help, imported = 0 } = rest
  return (
    <div className="card tile" role="group" aria-label={label}>
      <span className="tile-label">
        {onChoose === undefined ? (
          label
        ) : (
          <button
            type="button"
            aria-pressed={isChosen}
            title={analyticsStrings.draw(label)}
            onClick={onChoose}
          >
            {label}
          </button>
        )}
        {help && (
          <Tooltip text={help}>
            <button type="button" className="info-mark" aria-label={`${label}: ${help}`}>
              <CircleHelp size={14} aria-hidden />
            </button>
          </Tooltip>
        )}
      </span>
      <span className="tile-figure" title={value == null ? undefined : fullNumber(value)}>
        {value === undefined ? (
          <Skeleton width={88} height={28} />
        ) : value === null ? (
          '–'
        ) : (
          shortNumber(value)
        )}
      </span>
      <span className="tile-change">
        {imported > 0 && <div>{importedStrings.note(fullNumber(imported))}</div>}
        {note ??
          (compared && <ChangeMark compared={compared} hint={compared.hint} isNeutral={isNeutral} isLong />)}
      </span>
    </div>
  )
}

type PanelFailureProps = { title: string } & Pick<ComponentProps<typeof Failed>, 'query'>

/** Replaces one panel. The range selector stays, because another range may work. */
export const PanelFailure = ({ title, query }: PanelFailureProps) => (
  <Card title={title}>
    <Failed heading="h3" query={query} what={analyticsStrings.what} />
  </Card>
)

type ChangeMarkProps = {
  compared: Compared
  /** A sentence that says what is compared. */
  hint: string
  /** No color: a higher value is neither good nor bad. */
  isNeutral?: boolean
  /** Includes the previous value. */
  isLong?: boolean
}

export function ChangeMark({ compared, hint, isNeutral = false, isLong = false }: ChangeMarkProps) {
  const change = changeOf(compared)
  if (change.kind === 'new') {
    const isYoung = compared.before === null
    return (
      <Tooltip text={isYoung ? changeStrings.newHint : changeStrings.noneBefore}>
        <span className="change">{changeStrings.new}</span>
      </Tooltip>
    )
  }
  if (change.kind === 'none') {
    return (
      <Tooltip text={hint}>
        <span className="change">{changeStrings.none}</span>
      </Tooltip>
    )
  }
  const Icon = change.kind === 'up' ? TrendingUp : TrendingDown
  const before = compared.before ?? 0
  return (
    <Tooltip text={hint}>
      <span className="change">
        <span className={isNeutral ? undefined : `is-${change.kind}`}>
          {isLong && <Icon size={14} aria-hidden />}
          {change.text}
        </span>
        {isLong && <span title={fullNumber(before)}>{changeStrings.from(shortNumber(before))}</span>}
      </span>
    </Tooltip>
  )
}

/** `before`: null if the link did not exist for the whole previous period. */
type Compared = { now: number; before: number | null }
type Change = { kind: 'new' } | { kind: 'none' } | { kind: 'up' | 'down'; text: string }

/** Smaller changes are noise. */
const RATIO_MIN = 0.01

/** No percentage if there were no clicks before, or the link did not exist. */
export function changeOf({ now, before }: Compared): Change {
  if (before === null || (before === 0 && now > 0)) return { kind: 'new' }
  const ratio = before === 0 ? 0 : now / before - 1
  if (Math.abs(ratio) < RATIO_MIN) return { kind: 'none' }
  return { kind: ratio > 0 ? 'up' : 'down', text: percentChange(ratio) }
}
