/**
 * - `away`: the engine's process is not there at the moment; the same request may succeed later
 * - `closing`: too many clicks are in the table to follow it; they are being moved into files
 * - `unsupported`: DuckDB has no binary for this platform
 * - `canceled`: given up by the caller
 * - `timeout`: the query took too long
 * - `too-large`: the query takes more memory than there is for reports
 * - `failed`: a damaged file, a full disk, or a bug
 */
export type EngineErrorCode =
  'away' | 'closing' | 'unsupported' | 'canceled' | 'timeout' | 'too-large' | 'failed'

/** EX_UNAVAILABLE of sysexits.h: DuckDB does not run on this platform. */
export const EXIT_UNSUPPORTED = 69

/** The only error that calls of the engine reject with. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
