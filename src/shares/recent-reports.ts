import { RecentMap } from '../limits/recent-map.ts'
import { WorkspacePlaces } from '../limits/workspace-places.ts'
import type { Clock } from '../runtime/clock.ts'
import { withReportTurn } from '../store/report-turns.ts'
import type { PublicShare } from './find-public-share.ts'
import {
  readSharedReport,
  readSharedTotal,
  type SharedReport,
  type SharedReportDeps,
  type ShareRange,
} from './shared-report.ts'

const KEPT_MS = 60_000
/** Each has a few kilobytes. */
const KEPT_MAX = 2_000
/** Of all that a workspace may report at once, its public pages take one place: visitors do not hold up its members. */
const PLACES = { running: 8, runningOfOne: 1, waiting: 200, waitingOfOne: 40 }

type RecentValue = { readAtMs: number; value: Promise<unknown> }
type RecentReportsDeps = SharedReportDeps & { clock: Pick<Clock, 'nowUs' | 'monotonicMs'> }

/**
 * Reads what public pages show, once a minute for all visitors of a page. Whether the page may be seen is not decided here: see
 * findPublicShare.
 */
export class RecentReports {
  readonly #deps: RecentReportsDeps
  readonly #kept = new RecentMap<RecentValue>(KEPT_MAX)
  readonly #places = new WorkspacePlaces(PLACES, 'Too many shared statistics are being read.')

  constructor(deps: RecentReportsDeps) {
    this.#deps = deps
  }

  report(share: PublicShare, range: ShareRange): Promise<SharedReport> {
    const query = { range, nowUs: this.#deps.clock.nowUs() }
    return this.#once(share, `${share.id} ${range} ${share.panels}`, () =>
      readSharedReport(this.#deps, share, query),
    )
  }

  total(share: PublicShare): Promise<number> {
    return this.#once(share, `${share.id} total`, () => readSharedTotal(this.#deps, share))
  }

  /** Visitors who come while it is read wait for the same answer. One that fails is not kept. */
  #once<Value>({ workspaceId }: PublicShare, key: string, read: () => Promise<Value>): Promise<Value> {
    const now = this.#deps.clock.monotonicMs()
    const report = this.#kept.get(key)
    if (report !== undefined && now - report.readAtMs < KEPT_MS) return report.value as Promise<Value>
    const value = this.#places.run(workspaceId, () => withReportTurn(workspaceId, read))
    this.#kept.set(key, { readAtMs: now, value })
    value.catch(() => {
      if (this.#kept.get(key)?.value === value) this.#kept.delete(key)
    })
    return value
  }
}
