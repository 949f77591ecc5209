import type { Selectable } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { DAY_US } from '../../runtime/clock.ts'
import type { ImportTable } from '../../store/import-schema.ts'
import { IMPORT_RESULTS, type ImportCounts } from '../import-fields.ts'

// An import as a record: what `POST /imports` begins and an undo takes back as a whole.

/** From its beginning, an import takes links and can be undone for as long. */
export const UNDO_DAYS = 30

/** Links in use are those that were edited or clicked since they were imported. */
export const IN_USE_CHOICES = ['keep', 'trash'] as const
type InUseChoice = (typeof IN_USE_CHOICES)[number]

/** How an import is undone, and on whose behalf. */
export type ImportUndo = { edited: InUseChoice } & Pick<Caller, 'userId' | 'keyId' | 'actor' | 'client'>

export const IMPORT_STATES = ['open', 'ended', 'undoing', 'undone'] as const

export type ImportRecord = {
  id: number
  source: string
  actor: string
  state: (typeof IMPORT_STATES)[number]
  createdAtUs: number
  endedAtUs: number | null
  counts: ImportCounts
  undoableUntilUs: number
  undo: {
    edited: InUseChoice
    actor: string
    startedAtUs: number
    endedAtUs: number | null
    trashed: number
    spared: number
  } | null
}

/** An import that began before it can neither take links nor be undone. */
export const undoableSinceUs = (nowUs: number): number => nowUs - UNDO_DAYS * DAY_US

export function toImportRecord(row: Selectable<ImportTable>): ImportRecord {
  const counts = Object.fromEntries(IMPORT_RESULTS.map((result) => [result, row[result]])) as ImportCounts
  return {
    id: row.id,
    source: row.source,
    actor: row.actor,
    state: stateOf(row),
    createdAtUs: row.created_at,
    endedAtUs: row.ended_at,
    counts,
    undoableUntilUs: row.created_at + UNDO_DAYS * DAY_US,
    undo: undoOf(row),
  }
}

function stateOf(row: Selectable<ImportTable>): ImportRecord['state'] {
  if (row.undone_at !== null) return row.undo_ended_at === null ? 'undoing' : 'undone'
  return row.ended_at === null ? 'open' : 'ended'
}

export const readUndo = (text: string): ImportUndo => JSON.parse(text)

function undoOf({ undone_at: startedAtUs, undo, ...row }: Selectable<ImportTable>): ImportRecord['undo'] {
  if (startedAtUs === null || undo === null) return null
  const { edited, actor } = readUndo(undo)
  return {
    edited,
    actor,
    startedAtUs,
    endedAtUs: row.undo_ended_at,
    trashed: row.trashed,
    spared: row.spared,
  }
}
