import type { Caller } from '../access/caller.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import type { AuditAction } from './audit-actions.ts'
import { changesText, type FieldChanges } from './changes-text.ts'

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
/** A code of 64 characters after a host of 253. */
const TARGET_CHARS_MAX = 320

/** Writes down who has changed what, in the transaction of the change. */
export async function recordChange(tx: Tx, caller: Caller, change: Change): Promise<void> {
  await recordChanges(tx, caller, [change])
}

export async function recordChanges(tx: Tx, caller: Caller, changes: readonly Change[]): Promise<void> {
  const rows = changes.map((change) => auditRow(caller, change))
  await writeRows(tx, AUDIT_LOG, rows)
}

export const AUDIT_LOG = {
  table: 'audit_log',
  columns: [
    ...(['workspace_id', 'happened_at', 'user_id', 'api_key_id', 'actor', 'client'] as const),
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
  shortened(actor, NAME_CHARS_MAX),
  shortened(client, NAME_CHARS_MAX),
  action,
  shortened(target, TARGET_CHARS_MAX),
  targetId ?? null,
  changes === undefined || Object.keys(changes).length === 0 ? null : changesText(changes),
]

/** By code points, so that no character is cut in two. */
const shortened = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : [...text].slice(0, charsMax).join('')
