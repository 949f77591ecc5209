import { sep } from 'node:path'
import type { Config } from '../config/config.ts'
import { OutputLost } from './print-line.ts'
import { isDiskFull } from '../store/files/disk-room.ts'
import { FolderInUse } from '../store/files/folder-lock.ts'
import { MissingStore } from '../store/missing-store.ts'
import { ForeignStore, UnmigratedStore } from '../store/migrations/migrate.ts'
import { EarlyStore, NewerStore } from '../store/migrations/migrations.ts'
import { postgresComplaint } from '../store/postgres/postgres-complaint.ts'
import { UnsuitablePostgres } from '../store/postgres/open-postgres-store.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { MovedStore, UnfinishedMove } from '../store/store-identity.ts'
import { UnfinishedRestore } from '../store/files/unfinished-restore.ts'

type Surroundings = Pick<Config, 'dataDir' | 'host' | 'port'>
type Sentence = (around: Surroundings) => string

const obstructed: Sentence = ({ dataDir }) =>
  `The data folder ${dataDir} cannot be created or used because part of its path is not a folder. Check DATA_DIR.`
const forbidden: Sentence = ({ dataDir }) =>
  `The data folder ${dataDir} cannot be read and written by this user. Check DATA_DIR and who owns its files.`
const full: Sentence = ({ dataDir }) =>
  `The disk that holds ${dataDir} is full. Free some space and try again.`
const failing: Sentence = ({ dataDir }) =>
  `The disk that holds ${dataDir} has read or write errors. Check the system log.`

/** By the system's error code when the port is opened. */
const LISTENING: Record<string, Sentence> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use by another program. Set PORT to a free one.`,
  EACCES: ({ port }) => `Port ${port} cannot be opened by this user. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine: check HOST.`,
  EINVAL: ({ host }) => `${host} is no address of this machine: check HOST.`,
}

/** By the system's error code when a file of the data folder is used. */
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

/** Of whichever file: no other code of the system means a disk. */
const OF_DISKS = ['ENOSPC', 'EDQUOT', 'EIO']

/** By SQLite's error name, without a suffix as in SQLITE_IOERR_READ. */
const DATABASE: Record<string, Sentence> = {
  SQLITE_CANTOPEN: forbidden,
  SQLITE_READONLY: forbidden,
  SQLITE_PERM: forbidden,
  SQLITE_FULL: full,
  // Also when the disk has no room for the index of the log.
  SQLITE_IOERR: (around) => (isDiskFull(around.dataDir) ? full : failing)(around),
  SQLITE_BUSY: ({ dataDir }) =>
    `Another program, such as tern store move, has locked the database in ${dataDir}. Stop it or wait for it, then start again.`,
  SQLITE_NOTADB: ({ dataDir }) =>
    `A file in ${dataDir} that should be a database is not one. Check DATA_DIR, or restore a backup.`,
  SQLITE_CORRUPT: ({ dataDir }) =>
    `The database in ${dataDir} is damaged. Restore a backup; the journal brings its clicks up to date.`,
}

/** Errors whose message says what to do. */
const OPERATORS = [
  FolderInUse,
  MissingStore,
  NewerStore,
  ForeignStore,
  UnsuitablePostgres,
  StoreUnavailable,
  EarlyStore,
  UnmigratedStore,
  UnfinishedRestore,
  MovedStore,
  UnfinishedMove,
  OutputLost,
]

/** What the operator has to fix, in one sentence; undefined for a bug. */
export function operatorError(error: unknown, around: Surroundings): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (OPERATORS.some((kind) => error instanceof kind)) return error.message
  const sentence = sentenceFor(error, around.dataDir)
  return sentence === undefined ? operatorError(error.cause, around) : sentence(around)
}

type SystemError = Error & { code?: unknown; errno?: unknown; syscall?: string; path?: string }

function sentenceFor({ code, errno, syscall, path }: SystemError, dataDir: string): Sentence | undefined {
  if (typeof code !== 'string') return undefined
  if (syscall === 'listen') return LISTENING[code]
  const postgres = postgresComplaint({ code, errno })
  if (postgres !== undefined) return () => postgres
  // Writing to an open file fails without its name.
  if (path === undefined && OF_DISKS.includes(code)) return FILES[code]
  // Any other file belongs to Tern.
  if (path !== undefined && `${path}${sep}`.startsWith(dataDir + sep)) return FILES[code]
  return DATABASE[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '']
}
