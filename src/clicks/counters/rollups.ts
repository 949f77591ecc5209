import { hourOf } from '../../runtime/clock.ts'
import type { Database } from '../../store/schema.ts'
import type { ClickDimensions } from './dimensions.ts'
import type { Click } from '../journal/click.ts'
import type { FirstVisits } from './seen-visitors.ts'

/** A click with its dimensions; undefined for a bot. Clicks of one dimension set share one object. */
export type ReadClick = { click: Click; dimensions: ClickDimensions | undefined }

/** What a batch of clicks adds to the counters. */
export type Rollup = {
  linkTotals: Map<number, Database['link_totals']>
  linkHours: LinkHour[]
  linkDimensionHours: Database['link_dimension_hours'][]
  workspaceTotals: Map<number, Database['workspace_totals']>
  workspaceHours: Database['workspace_hours'][]
}

/** `dimensions` is undefined for bots. */
type LinkHour = Counts & { link_id: number; hour: number; dimensions: ClickDimensions | undefined }

/** The dimensions of `workspace_hours`, beside 'total' for the hour itself. */
export const DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer'] as const

type Counts = { clicks: number; visitors: number; bots: number }

/** Counts of one dimension set. Bots form a set of their own. */
type Cell = Counts & { dimensions: ClickDimensions | undefined; lastClickedAt: number | null }

/** The counts of one link or workspace in one hour. */
type OwnerHour = {
  id: number
  workspaceId: number
  hour: number
  cells: Map<ClickDimensions | undefined, Cell>
}

/** Adds up a batch. */
export function addUp(clicks: readonly ReadClick[], firstVisits: FirstVisits): Rollup {
  const links = new OwnerHours()
  const workspaces = new OwnerHours()
  for (const { click, dimensions } of clicks) {
    const { clickedAtUs, linkId, workspaceId } = click
    const hour = hourOf(clickedAtUs)
    count(links.of(hour, linkId, workspaceId), click, {
      dimensions,
      isFirst: firstVisits.toLink.has(click),
    })
    count(workspaces.of(hour, workspaceId, workspaceId), click, {
      dimensions,
      isFirst: firstVisits.toWorkspace.has(click),
    })
  }
  const rollup: Rollup = {
    linkTotals: new Map(),
    linkHours: [],
    linkDimensionHours: [],
    workspaceTotals: new Map(),
    workspaceHours: [],
  }
  for (const ownerHour of links.all) addLinkHour(rollup, ownerHour)
  for (const ownerHour of workspaces.all) addWorkspaceHour(rollup, ownerHour)
  return rollup
}

/** Nested maps of numbers: building string keys was most of the work of counting. */
class OwnerHours {
  readonly all: OwnerHour[] = []
  readonly #hours = new Map<number, Map<number, OwnerHour>>()

  of(hour: number, id: number, workspaceId: number): OwnerHour {
    let owners = this.#hours.get(hour)
    if (owners === undefined) this.#hours.set(hour, (owners = new Map()))
    let owner = owners.get(id)
    if (owner === undefined) {
      owners.set(id, (owner = { id, workspaceId, hour, cells: new Map() }))
      this.all.push(owner)
    }
    return owner
  }
}

type Who = { dimensions: ClickDimensions | undefined; isFirst: boolean }

function count({ cells }: OwnerHour, { clickedAtUs }: Click, { dimensions, isFirst }: Who): void {
  let cell = cells.get(dimensions)
  if (cell === undefined) cells.set(dimensions, (cell = { dimensions, ...ZERO, lastClickedAt: null }))
  if (dimensions === undefined) return void cell.bots++
  cell.clicks++
  if (isFirst) cell.visitors++
  cell.lastClickedAt = Math.max(cell.lastClickedAt ?? 0, clickedAtUs)
}

function addLinkHour(
  rollup: Rollup,
  { id: link_id, workspaceId: workspace_id, hour, cells }: OwnerHour,
): void {
  const total = foundOrMade(rollup.linkTotals, link_id, () => ({
    link_id,
    workspace_id,
    ...ZERO,
    last_clicked_at: null,
  }))
  for (const cell of cells.values()) {
    addTotal(total, cell)
    const { dimensions, clicks, visitors, bots } = cell
    rollup.linkHours.push({ link_id, hour, dimensions, clicks, visitors, bots })
  }
}

function addWorkspaceHour(rollup: Rollup, { id: workspace_id, hour, cells }: OwnerHour): void {
  const total = foundOrMade(rollup.workspaceTotals, workspace_id, () => ({
    workspace_id,
    ...ZERO,
    last_clicked_at: null,
  }))
  const ofHour = { workspace_id, dimension: 'total', hour, value: '', ...ZERO }
  for (const cell of cells.values()) {
    addTotal(total, cell)
    add(ofHour, cell)
  }
  rollup.workspaceHours.push(ofHour)
  for (const dimension of DIMENSIONS) {
    const ofValue = new Map<string, Database['workspace_hours']>()
    for (const cell of cells.values()) {
      if (cell.dimensions === undefined) continue
      const value = cell.dimensions[dimension]
      add(
        foundOrMade(ofValue, value, () => ({ workspace_id, dimension, hour, value, ...ZERO })),
        cell,
      )
    }
    rollup.workspaceHours.push(...ofValue.values())
  }
}

const ZERO: Counts = { clicks: 0, visitors: 0, bots: 0 }

function foundOrMade<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function add(row: Counts, { clicks, visitors, bots }: Counts): void {
  row.clicks += clicks
  row.visitors += visitors
  row.bots += bots
}

function addTotal(row: Counts & { last_clicked_at: number | null }, cell: Cell): void {
  add(row, cell)
  if (cell.lastClickedAt !== null)
    row.last_clicked_at = Math.max(row.last_clicked_at ?? 0, cell.lastClickedAt)
}
