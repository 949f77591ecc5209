import type { Generated } from 'kysely'
import type { WHOLE_DIMENSIONS } from './click-dimensions.ts'

// Imports, and the clicks that they bring along. Conventions as in schema.ts.

/** A series of requests that import links, begun with `POST /imports`. */
export type ImportTable = {
  id: Generated<number>
  workspace_id: number
  /** What the links come from, as the client calls it. */
  source: string
  /** Who began it: the name of the user or key at that time. */
  actor: string
  created_at: number
  /** NULL: it goes on, or was interrupted. */
  ended_at: number | null
  created: Generated<number>
  equal: Generated<number>
  skipped: Generated<number>
  kept: Generated<number>
  replaced: Generated<number>
  refused: Generated<number>
  /** When the undo was requested; NULL: not undone. */
  undone_at: number | null
  /** JSON: how, and by whom (`ImportUndo`). NULL as undone_at. */
  undo: string | null
  /** The last link that the undo has decided about, by id. */
  undo_position: Generated<number>
  /** NULL until all of its links were decided about. */
  undo_ended_at: number | null
  /** Links that the undo has moved to the trash. */
  trashed: Generated<number>
  /** Links that the undo has left, because they were in use. */
  spared: Generated<number>
}

/**
 * Clicks that another program counted, as an import says them: facts of their own, which no counter has. Each row is of the days from
 * `first_day` to `last_day` as a whole, for of many clicks only that is known. Those of links in the trash stay, and are in no report.
 */
export type ImportedClickTable = {
  link_id: number
  workspace_id: number
  /** `all`: the clicks. Any other is a dimension, which counts the same clicks again. */
  kind: 'all' | (typeof WHOLE_DIMENSIONS)[number]
  /** Of the dimension, as in `clicks`; '' for all. */
  value: string
  /** Since 1970, in the time zone of the other program. */
  first_day: number
  /** Included. */
  last_day: number
  clicks: number
}
