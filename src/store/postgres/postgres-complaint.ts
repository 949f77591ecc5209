const LOGIN =
  'PostgreSQL does not accept this machine as the user of DATABASE_URL. Check its pg_hba.conf, and that the user may log in.'
const SILENT = 'PostgreSQL does not respond at the host of DATABASE_URL.'
const FULL = 'The disk of PostgreSQL is full. Free some space there.'

/** By SQLSTATE, or by the driver's error code. */
const COMPLAINTS: Record<string, string> = {
  '28000': LOGIN,
  '28P01': 'PostgreSQL rejected the user or password of DATABASE_URL.',
  '3D000': 'PostgreSQL has no database with the name in DATABASE_URL. Create it.',
  '3F000': 'The schema in DATABASE_URL does not exist, and its user cannot create it.',
  '55000': 'PostgreSQL does not accept connections to the database in DATABASE_URL.',
  '55P03': 'A long transaction has locked a table in PostgreSQL. Check pg_stat_activity and try again.',
  '53300':
    'PostgreSQL has no connection left for the user of DATABASE_URL. Raise max_connections, or the limit of the user.',
  '57P01': 'PostgreSQL ended the connection.',
  '57P03': 'PostgreSQL is starting or stopping.',
  '58030': 'The disk of PostgreSQL has read or write errors. Check the system log there.',
  '25006':
    'PostgreSQL refuses changes: it is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the primary.',
  '42501': 'The user of DATABASE_URL may not use its database or create tables in it. Make it the owner.',
  '42P01':
    'The tables are missing in the database of DATABASE_URL. Wait if a dump is being loaded, or restore one; after a restart Tern creates empty tables.',
  '0A000': 'PostgreSQL lacks the extension pg_trgm. Install its contrib package.',
  ERR_POSTGRES_CONNECTION_REFUSED: SILENT,
  ERR_POSTGRES_CONNECTION_TIMEOUT: SILENT,
  ERR_POSTGRES_CONNECTION_FAILED: SILENT,
  ERR_POSTGRES_CONNECTION_CLOSED: 'PostgreSQL closed the connection: it may be starting or stopping.',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: 'PostgreSQL does not offer TLS, which DATABASE_URL asks for.',
  ERR_POSTGRES_UNSUPPORTED_AUTHENTICATION_METHOD:
    'PostgreSQL asks for a way of signing in that Tern does not have. Allow passwords (scram-sha-256) in its pg_hba.conf.',
}

/** SQLSTATE 53100, or what a connection to a database without its cache file gets: an internal error, which is not translated. */
export function isPostgresDiskFull(error: unknown): boolean {
  const { errno, message } = (error ?? {}) as { errno?: unknown; message?: unknown }
  return errno === '53100' || (errno === 'XX000' && message === 'could not write init file')
}

/** What the operator has to fix, in a sentence or two; undefined for anything else. */
export function postgresComplaint(error: unknown): string | undefined {
  if (isPostgresDiskFull(error)) return FULL
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  return COMPLAINTS[String(errno)] ?? COMPLAINTS[String(code)]
}

/** Texts of other encodings could not hold every title and destination. The encoding of a database is fixed. */
export const encodingComplaint = (encoding: string): string | undefined =>
  encoding === 'UTF8'
    ? undefined
    : `The database is encoded in ${encoding}: it must be UTF8. Create another one with ENCODING 'UTF8' TEMPLATE template0.`
