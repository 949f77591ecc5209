import type { UsageView } from '../../src/http/endpoints/browser-types.ts'
import { useData } from '../use-data.ts'
import { fullNumber, pointLabel } from '../format.ts'
import { DataCard } from '../components/card.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Failed } from '../components/states.tsx'
import { chartStrings } from '../components/charts/chart-strings.ts'
import { keyStrings } from './key-strings.ts'

const BARS_HEIGHT = 72

/** Requests of all keys in the last 30 days. */
export function UsageCard() {
  const usage = useData('GET /usage')
  const days = usage.data?.days
  const table = days && {
    heads: [chartStrings.time, keyStrings.requests],
    rows: days.map(({ date, requests }) => [date, requests]),
  }
  return (
    <DataCard title={keyStrings.usage} fileName="api-requests" table={table}>
      {usage.data ? (
        <UsageBars {...usage.data} />
      ) : usage.error ? (
        <Failed what={keyStrings.usage} query={usage} />
      ) : (
        <Skeleton width="100%" height={BARS_HEIGHT + 28} />
      )}
    </DataCard>
  )
}

function UsageBars({ days, last_thirty_days: total }: UsageView) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const summary = keyStrings.requestsOf(fullNumber(total))
  return (
    <>
      <div className="usage-bars" role="img" aria-label={`${keyStrings.usage}: ${summary}`}>
        {days.map(({ date, requests }) => (
          <div
            key={date}
            className={requests === 0 ? 'is-none' : ''}
            style={{ height: `${(requests / most) * 100}%` }}
            title={`${pointLabel(date)}: ${keyStrings.requestsOf(fullNumber(requests))}`}
          />
        ))}
      </div>
      <p className="hint usage-scale">
        <span>{pointLabel(days[0]!.date)}</span>
        <span>{summary}</span>
        <span>{pointLabel(days.at(-1)!.date)}</span>
      </p>
    </>
  )
}
