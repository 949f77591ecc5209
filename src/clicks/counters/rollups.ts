import { hourOf } from '../../runtime/clock.ts'
import type { Database } from '../../store/schema.ts'
import { COMMON_VALUES, DIMENSIONS } from '../../store/click-dimensions.ts'
import type { ReadClick } from '../facts/write-facts.ts'
import type { FirstVisits } from './seen-visitors.ts'

type Counts = { clicks: number; visitors: number; bots: number }
type Total = Counts & { last_clicked_at: number | null; workspace_id: number }
type LinkTotal = Total & { link_id: number }
export type WorkspaceHour = Database['workspace_hours']

/** What a batch of clicks adds to the kept counters. */
export type Rollup = {
  linkTotals: Iterable<LinkTotal>
  workspaceTotals: Iterable<Database['workspace_totals']>
  workspaceHours: WorkspaceHour[]
}

/** Adds up a batch. */
export function addUp(clicks: readonly ReadClick[], firstVisits: FirstVisits): Rollup {
  const links = new Map<number, LinkTotal>()
  const workspaces = new Map<number, Database['workspace_totals']>()
  const hours = new WorkspaceHours()
  for (const [position, { click, dimensions }] of clicks.entries()) {
    const { linkId: link_id, workspaceId: workspace_id, clickedAtUs } = click
    const ofLink = dimensions === undefined ? BOT : VISITS[firstVisits.toLink[position]!]!
    const ofWorkspace = dimensions === undefined ? BOT : VISITS[firstVisits.toWorkspace[position]!]!
    const newTotal = { ...ZERO, last_clicked_at: null, workspace_id }
    addTotal(
      foundOrMade(links, link_id, () => ({ link_id, ...newTotal })),
      ofLink,
      clickedAtUs,
    )
    addTotal(
      foundOrMade(workspaces, workspace_id, () => newTotal),
      ofWorkspace,
      clickedAtUs,
    )
    const hour = hours.of(workspace_id, hourOf(clickedAtUs))
    add(hour.valueOf('total', ''), ofWorkspace)
    if (dimensions === undefined) continue
    for (const name of DIMENSIONS) {
      const value = dimensions[name]
      if (value !== COMMON_VALUES[name]) add(hour.valueOf(name, value), ofWorkspace)
    }
  }
  return { linkTotals: links.values(), workspaceTotals: workspaces.values(), workspaceHours: hours.rows }
}

const ZERO: Counts = { clicks: 0, visitors: 0, bots: 0 }
const BOT: Counts = { ...ZERO, bots: 1 }
/** Of a known visitor, and of one who is there for the first time. */
const VISITS: readonly Counts[] = [
  { ...ZERO, clicks: 1 },
  { ...ZERO, clicks: 1, visitors: 1 },
]

/** Nested maps: building string keys was most of the work of counting. */
class WorkspaceHours {
  readonly rows: WorkspaceHour[] = []
  readonly #hours = new Map<number, Map<number, HourValues>>()

  of(workspaceId: number, hour: number): HourValues {
    const ofHour = foundOrMade(this.#hours, hour, () => new Map<number, HourValues>())
    return foundOrMade(ofHour, workspaceId, () => new HourValues(workspaceId, hour, this.rows))
  }
}

class HourValues {
  readonly #values = new Map<string, Map<string, WorkspaceHour>>()

  constructor(
    readonly workspaceId: number,
    readonly hour: number,
    readonly rows: WorkspaceHour[],
  ) {}

  valueOf(dimension: string, value: string): WorkspaceHour {
    const ofDimension = foundOrMade(this.#values, dimension, () => new Map<string, WorkspaceHour>())
    return foundOrMade(ofDimension, value, () => {
      const row = { workspace_id: this.workspaceId, dimension, hour: this.hour, value, ...ZERO }
      this.rows.push(row)
      return row
    })
  }
}

function foundOrMade<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

export function add(row: Counts, { clicks, visitors, bots }: Counts): void {
  row.clicks += clicks
  row.visitors += visitors
  row.bots += bots
}

function addTotal(total: Total, counts: Counts, clickedAtUs: number): void {
  add(total, counts)
  if (counts.clicks > 0) total.last_clicked_at = Math.max(total.last_clicked_at ?? 0, clickedAtUs)
}
