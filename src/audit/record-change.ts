import type { Caller } from '../access/caller.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import type { AuditAction } from './audit-actions.ts'

/** By JSON name, with JSON values: fields as the API shows them. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>

export type Change = {
  nowUs: number
  action: AuditAction
  /** What was changed, as people call it: a short code, a host, an email address. */
  target: string
  /** Null if it has no id, or there are several. */
  targetId?: number | null
  /** Never a secret: a password is `set`, `changed` or null, and a key its hint. */
  changes?: FieldChanges
}

const NAME_CHARS_MAX = 255
/** Requests about many links carry up to 100 of them; more than this is left out, the longest values first. */
const CHANGES_CHARS_MAX = 64 * 1024

/** Writes down who has changed what, in the transaction of the change. */
export async function recordChange(tx: Tx, caller: Caller, change: Change): Promise<void> {
  await writeRows(tx, AUDIT_LOG, [auditRow(caller, change)])
}

export const AUDIT_LOG = {
  table: 'audit_log',
  columns: [
    ...(['account_id', 'happened_at', 'user_id', 'api_key_id', 'actor', 'client'] as const),
    ...(['action', 'target', 'target_id', 'changes'] as const),
  ],
  texts: ['actor', 'client', 'action', 'target', 'changes'],
} satisfies RowInsert

/** For a statement that writes other rows too. */
export const auditRow = (
  { workspaceId, userId, keyId, actor, client }: Caller,
  { nowUs, action, target, targetId, changes }: Change,
): (string | number | null)[] => [
  workspaceId,
  nowUs,
  userId,
  keyId ?? null,
  shortened(actor),
  shortened(client),
  action,
  shortened(target),
  targetId ?? null,
  encoded(changes),
]

/** By code points, so that no character is cut in two. */
const shortened = (text: string): string =>
  text.length <= NAME_CHARS_MAX ? text : [...text].slice(0, NAME_CHARS_MAX).join('')

function encoded(changes: FieldChanges | undefined): string | null {
  if (changes === undefined || Object.keys(changes).length === 0) return null
  const text = JSON.stringify(changes)
  return text.length <= CHANGES_CHARS_MAX ? text : JSON.stringify(withoutLongest(changes))
}

/** What a value that was left out is in the log. */
export const LEFT_OUT = '…'

function withoutLongest(changes: FieldChanges): FieldChanges {
  const sizes = Object.entries(changes).map(([name, change]) => ({
    name,
    size: JSON.stringify(change).length,
  }))
  const kept = { ...changes }
  let size = sizes.reduce((sum, each) => sum + each.size + each.name.length, 0)
  for (const longest of sizes.toSorted((a, b) => b.size - a.size)) {
    if (size <= CHANGES_CHARS_MAX) break
    kept[longest.name] = { from: LEFT_OUT, to: LEFT_OUT }
    size -= longest.size
  }
  return kept
}
