import { StoreUnavailable } from '../errors/store-unavailable.ts'

/** True when an insert or update was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const sqlite = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return sqlite || errno === '23505'
}

/**
 * The disk is full or fails, the file is locked, read-only, damaged or not accessible, memory is short, or the store was moved
 * (moved-mark.ts).
 */
const SQLITE_UNAVAILABLE =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|PERM|PROTOCOL|NOMEM|CORRUPT|NOTADB|CONSTRAINT_TRIGGER)/
/**
 * By the driver's code: no connection could be opened, for want of a server, of TLS or of a login that both sides know, or
 * the connection was lost. A statement may or may not have run then.
 */
const POSTGRES_GONE =
  /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS|AUTHENTICATION|(UNKNOWN|UNSUPPORTED)_AUTH|CHANNEL_BINDING|SASL|INVALID_SERVER)/
/**
 * By SQLSTATE: no connection (08), login refused (28), no such database (3D), schema (3F) or table (42P01: while a dump is
 * restored), no right to it (42501), aborted in favor of another transaction (40), too few resources (53), not in a state to
 * serve, or locked (55), ended by an operator or a time limit (57, 25P03, 25P04), a system error (58), damaged or at odds with itself
 * (XX), read-only (25006).
 */
const POSTGRES_UNAVAILABLE = /^(08|28|3D|3F|40|53|55|57|58|25006|25P03|25P04|42501|42P01|XX)/

/** A lock was not free in time, or a statement took too long, which also means a lock most of the time. */
export const isTimeLimit = (error: unknown): boolean =>
  /^(55P03|57014)$/.test(String((error as { errno?: unknown } | undefined)?.errno))

/** It can be read, though. On SQLite a reader needs no lock and no room. */
const CHANGES_REFUSED = /^(25006|53100)$/

/** True when only changes are refused. `isChange`: what failed would have been one. */
export function refusesChanges(error: unknown, isChange: boolean): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof errno === 'string') return CHANGES_REFUSED.test(errno)
  return (
    isChange && typeof code === 'string' && /^SQLITE_(FULL|IOERR|BUSY|READONLY|CONSTRAINT_TRIGGER)/.test(code)
  )
}

/**
 * True when the store cannot be reached, or refuses what was asked for a reason outside of the request. The only place that
 * decides it: callers and visitors get 503 then, everything else is a bug.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof errno === 'string' && POSTGRES_UNAVAILABLE.test(errno)) return true
  return typeof code === 'string' && (SQLITE_UNAVAILABLE.test(code) || POSTGRES_GONE.test(code))
}
