import { StoreUnavailable } from '../errors/store-unavailable.ts'

/** True when an insert or update was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const sqlite = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return sqlite || errno === '23505'
}

/** The disk is full or fails, the file is locked or read-only, or the store was moved (moved-mark.ts). */
const SQLITE_UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|CONSTRAINT_TRIGGER)/
/** The connection failed or was lost: the statement may or may not have run. */
const POSTGRES_GONE = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)/
/**
 * By SQLSTATE: no connection (08), too few resources (53), ended by an operator or a time limit (57, 25P03), a system
 * error (58), read-only (25006), and aborted in favor of another transaction (40, 55P03).
 */
const POSTGRES_UNAVAILABLE = /^(08|40|53|57|58|25006|25P03|55P03)/

/** True when the store is temporarily unavailable. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof errno === 'string' && POSTGRES_UNAVAILABLE.test(errno)) return true
  return typeof code === 'string' && (SQLITE_UNAVAILABLE.test(code) || POSTGRES_GONE.test(code))
}
