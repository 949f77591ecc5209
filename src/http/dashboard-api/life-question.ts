import type { ClickOwner } from '../../analytics/click-counts.ts'
import { compareRange, type Comparison, type LifeRange, lifeRange } from '../../analytics/life-range.ts'
import type { Caller } from '../../caller.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { readLimit, readOwner, readRangeTexts } from '../api/analytics-endpoints.ts'
import { readTogether } from '../api/read-together.ts'
import type { Query } from '../query.ts'

/** `sinceUs`: when the link, or the account, was created. */
export type LifeQuestion = {
  owner: ClickOwner
  nowUs: number
  sinceUs: number
  range: LifeRange
  comparison: Comparison | null
  limit: number
}

/** The question behind the charts: as in the API, but about the time that its owner has been there. */
export async function readLifeQuestion(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  query: Query,
): Promise<LifeQuestion> {
  const moments = { nowUs: clock.nowUs(), ...(await readOwner(db, caller, query)) }
  const texts = readRangeTexts(query)
  const read = readTogether({ range: () => lifeRange(texts, moments), limit: () => readLimit(query) })
  return { ...moments, ...read, comparison: compareRange(read.range, texts, moments) }
}
