import { sep } from 'node:path'
import type { Config } from '../config.ts'
import { FolderInUse } from '../store/folder-lock.ts'
import { ForeignStore, NewerStore } from '../store/migrate.ts'
import { OldPostgres } from '../store/open-postgres-store.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { MovedStore, UnfinishedMove } from '../store/store-identity.ts'
import { UnfinishedRestore } from '../store/unfinished-restore.ts'

type Surroundings = Pick<Config, 'dataDir' | 'host' | 'port'>
type Sentence = (around: Surroundings) => string

const obstructed: Sentence = ({ dataDir }) =>
  `The data folder ${dataDir} cannot be made or used, for something in its way is no folder: check DATA_DIR.`
const forbidden: Sentence = ({ dataDir }) =>
  `The data folder ${dataDir} cannot be read and written by this user: check DATA_DIR and who owns the files in it.`
const full: Sentence = ({ dataDir }) => `The disk that holds ${dataDir} is full: make room and start again.`
const failing: Sentence = ({ dataDir }) =>
  `The disk that holds ${dataDir} fails to read or write: see the system's log.`

/** By what the system calls it when the port is opened. */
const LISTENING: Record<string, Sentence> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use by another program: set PORT to a free one.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user: set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine: check HOST.`,
  EINVAL: ({ host }) => `${host} is no address of this machine: check HOST.`,
}

/** By what the system calls it when a file of the data folder is used. */
const FILES: Record<string, Sentence> = {
  EEXIST: obstructed,
  ENOTDIR: obstructed,
  ENOENT: obstructed,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: forbidden,
  ENOSPC: full,
  EDQUOT: full,
  EIO: failing,
}

/** By SQLite's name, without what may follow it: SQLITE_IOERR_READ. */
const DATABASE: Record<string, Sentence> = {
  SQLITE_CANTOPEN: forbidden,
  SQLITE_READONLY: forbidden,
  SQLITE_PERM: forbidden,
  SQLITE_FULL: full,
  SQLITE_IOERR: failing,
  SQLITE_BUSY: ({ dataDir }) =>
    `Another program holds the database in ${dataDir} locked, as tern store move does: end it, or wait for it, and start again.`,
  SQLITE_NOTADB: ({ dataDir }) =>
    `A file in ${dataDir} that should be a database is none: check DATA_DIR, or put a backup in its place.`,
  SQLITE_CORRUPT: ({ dataDir }) =>
    `The database in ${dataDir} is damaged: put a backup in its place, and the journal brings its clicks up to date.`,
}

/** By SQLSTATE, or by the driver's name for what happens before there is one. */
const POSTGRES: Record<string, string> = {
  '28000': 'PostgreSQL does not let this machine in as the user of DATABASE_URL: see its pg_hba.conf.',
  '28P01': 'PostgreSQL refuses the user or the password of DATABASE_URL.',
  '3D000': 'PostgreSQL has no database of the name in DATABASE_URL: create it.',
  '55P03': 'Some long work holds a table of PostgreSQL: see pg_stat_activity, and try again.',
  '53100': 'The disk of PostgreSQL is full.',
  '57P01': 'PostgreSQL has ended the connection.',
  '42501': 'The user of DATABASE_URL may not make tables in its database: make it the owner.',
  '0A000': 'PostgreSQL lacks the extension pg_trgm: install its contrib package.',
  ERR_POSTGRES_CONNECTION_REFUSED: 'PostgreSQL does not answer at the address of DATABASE_URL.',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'PostgreSQL does not answer at the address of DATABASE_URL.',
  ERR_POSTGRES_CONNECTION_CLOSED: 'PostgreSQL has closed the connection: it may be starting or ending.',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: 'PostgreSQL offers no TLS, which DATABASE_URL asks for.',
}

/** Errors that say themselves what is to be done. */
const OPERATORS = [
  ...[FolderInUse, NewerStore, ForeignStore, OldPostgres, StoreUnavailable],
  ...[UnfinishedRestore, MovedStore, UnfinishedMove],
]

/** What the operator has to mend, in one sentence; undefined when it is a bug of ours. */
export function operatorFault(error: unknown, around: Surroundings): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (OPERATORS.some((kind) => error instanceof kind)) return error.message
  const sentence = sentenceFor(error, around.dataDir)
  return sentence === undefined ? operatorFault(error.cause, around) : sentence(around)
}

type SystemError = Error & { code?: unknown; errno?: unknown; syscall?: string; path?: string }

function sentenceFor({ code, errno, syscall, path }: SystemError, dataDir: string): Sentence | undefined {
  if (typeof code !== 'string') return undefined
  if (syscall === 'listen') return LISTENING[code]
  const postgres = POSTGRES[String(errno)] ?? POSTGRES[code]
  if (postgres !== undefined) return () => postgres
  // Any other file that cannot be used is a file of ours.
  if (path !== undefined && `${path}${sep}`.startsWith(dataDir + sep)) return FILES[code]
  return DATABASE[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '']
}
