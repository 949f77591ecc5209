import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { readCodeLog } from '../codes/log/read-code-log.ts'
import type { CurrentDb } from '../store/handles.ts'

const CODES_AT_ONCE = 500
const CODES_NAMED_MAX = 5

/** Claims that the database lost and that are blocked. A few of them are named. */
export async function blockedLosses(db: CurrentDb): Promise<{ count: number; codes: string[] }> {
  const lost = db.selectFrom('codes').where('lost_at', 'is not', null)
  const { count } = await lost.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await lost.select('code').orderBy('code').limit(CODES_NAMED_MAX).execute()
  return { count, codes: rows.map(({ code }) => code) }
}

export function namedCodes(codes: readonly string[], count = codes.length): string {
  const examples = codes.slice(0, CODES_NAMED_MAX)
  return `${examples.join(', ')}${count > examples.length ? ` and ${count - examples.length} more` : ''}`
}

/** The claims of a code log from an offset on, and which of them the database lacks. Without an offset, none is read. */
export async function compareClaims(db: CurrentDb, path: string, from: number | undefined) {
  const result = { claims: 0, lost: [] as ClaimedCode[], damaged: 0 }
  if (from === undefined) return result
  for (const { claims, damagedLines } of readCodeLog(path, from)) {
    result.claims += claims.length
    result.damaged += damagedLines
    result.lost.push(...(await claimsMissing(db, claims)))
  }
  return result
}

const keyOf = ({ code, domainId }: { code: string; domainId: number }): string => `${domainId} ${code}`

export async function claimsMissing(db: CurrentDb, claims: readonly ClaimedCode[]): Promise<ClaimedCode[]> {
  const missing: ClaimedCode[] = []
  for (let at = 0; at < claims.length; at += CODES_AT_ONCE) {
    const some = claims.slice(at, at + CODES_AT_ONCE)
    const rows = await db
      .selectFrom('codes')
      .select(['code', 'domain_id as domainId'])
      .where(
        'code',
        'in',
        some.map(({ code }) => code),
      )
      .execute()
    const keys = new Set(rows.map(keyOf))
    missing.push(...some.filter((claim) => !keys.has(keyOf(claim))))
  }
  return missing
}
