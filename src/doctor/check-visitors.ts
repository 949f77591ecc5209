import { HOUR_US, hourOf } from '../runtime/clock.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Finding, findings, warning } from './finding.ts'

const HOURS = 24
/** With fewer, the share means nothing. */
const CLICKS_MIN = 50

/** Whether Tern sees the IP addresses of visitors: that of a proxy usually has no country. */
export async function checkVisitors(db: CurrentDb, nowUs: number): Promise<Finding[]> {
  const rows = await db
    .selectFrom('workspace_hours')
    .select((eb) => ['value', eb.fn.sum<number>('clicks').as('clicks')])
    .where('dimension', '=', 'country')
    .where('hour', '>', hourOf(nowUs - HOURS * HOUR_US))
    .groupBy('value')
    .execute()
  const clicks = rows.reduce((sum, row) => sum + Number(row.clicks), 0)
  const unknown = Number(rows.find(({ value }) => value === '')?.clicks ?? 0)
  const complaint = warning(
    `Of none of the ${clicks} clicks of the last ${HOURS} hours is the country known. Tern may see the IP address of a proxy: check TRUSTED_PROXIES, and that the proxy sends X-Forwarded-For.`,
  )
  const isBlind = clicks >= CLICKS_MIN && unknown === clicks
  return findings(
    'visitors',
    isBlind ? [complaint] : [],
    `The country is known of ${clicks - unknown} of ${clicks} clicks of the last ${HOURS} hours.`,
  )
}
