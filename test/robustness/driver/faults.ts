import { Database as SqliteFile } from 'bun:sqlite'
import { SQL } from 'bun'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import type { Tern } from './tern.ts'

/** Begins, and returns what ends it. */
export type Fault = (tern: Tern) => Promise<() => unknown>

export async function killNode(tern: Tern, node = 0): Promise<void> {
  tern.isInterrupted = true
  tern.kills++
  tern.openingsLostMax++
  await tern.nodes[node]!.server!.kill()
}

/** Some connections of the nodes to their database end. */
export async function killConnections(tern: Tern): Promise<void> {
  tern.openingsLostMax += tern.nodes.length
  await tern.database.server
    .run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tern' AND random() < 0.4`,
    )
    .catch(() => {})
}

export const fullDisk: Fault = async ({ disk }) => {
  disk.fill()
  return () => disk.free()
}

export const hangingDisk: Fault = async ({ machine }) => {
  machine.hangDisk()
  return () => machine.releaseDisk()
}

/** Another process writes to the SQLite file. */
export const lockedStore: Fault = async ({ dataDir }) => {
  const other = new SqliteFile(storePath(dataDir), { readwrite: true })
  // The server may be writing at this moment.
  other.run('PRAGMA busy_timeout = 10000')
  other.run('BEGIN IMMEDIATE')
  return () => {
    other.run('ROLLBACK')
    other.close()
  }
}

/** As after a crash: connections end, and nothing is flushed. */
export const databaseDown: Fault = async (tern) => {
  tern.openingsLostMax += tern.nodes.length
  await tern.database.server.stop('immediate')
  return () => tern.database.server.startAgain()
}

/** The standby takes over, for good. */
export async function failOver(tern: Tern): Promise<void> {
  await databaseDown(tern)
  await tern.database.standby!.promote()
  tern.database.network.pointTo(tern.database.standby!.port)
}

export const frozenDatabase: Fault = async ({ database: { server } }) => {
  server.freeze()
  return () => server.thaw()
}

export const lockedTable: Fault = async ({ operator }) => {
  const other = new SQL(operator.settings.DATABASE_URL!, { max: 1 })
  const holder = await other.reserve()
  await holder.unsafe('BEGIN')
  await holder.unsafe('LOCK TABLE links IN ACCESS EXCLUSIVE MODE')
  return async () => {
    await holder.unsafe('ROLLBACK')
    holder.release()
    await other.close()
  }
}

export const readOnlyDatabase: Fault = async ({ database }) => {
  await database.configure('default_transaction_read_only', 'on')
  return () => database.configure('default_transaction_read_only', 'off')
}

export const silentNetwork: Fault = async ({ database: { network } }) => {
  network.fallSilent()
  return () => network.recover()
}

export const refusingNetwork: Fault = async ({ database: { network } }) => {
  network.refuse()
  return () => network.recover()
}

/** The server refuses the user of the nodes, who had connections. */
function refusal(begin: string, end: string): Fault {
  return async ({ database }) => {
    const { server, name } = database
    await server.run(begin.replace('DATABASE', `DATABASE ${name}`))
    await disconnect(database.server)
    return () => server.run(end.replace('DATABASE', `DATABASE ${name}`))
  }
}

export const refusedLogin = refusal('ALTER ROLE app NOLOGIN', 'ALTER ROLE app LOGIN')

const refusedHost: Fault = async ({ database }) => {
  await database.admitBy('reject')
  await disconnect(database.server)
  return () => database.admitBy('scram-sha-256')
}

const renamedDatabase: Fault = async ({ database: { server, name } }) => {
  await server.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await disconnect(server)
  await server.run(`ALTER DATABASE ${name} RENAME TO elsewhere`)
  await server.run('ALTER DATABASE elsewhere ALLOW_CONNECTIONS true')
  return () => server.run(`ALTER DATABASE elsewhere RENAME TO ${name}`)
}

export const REFUSALS: Record<string, Fault> = {
  'the password': refusal(`ALTER ROLE app PASSWORD 'wrong'`, `ALTER ROLE app PASSWORD 'right'`),
  'logins of the user': refusedLogin,
  'more connections of the user': refusal(
    'ALTER ROLE app CONNECTION LIMIT 0',
    'ALTER ROLE app CONNECTION LIMIT -1',
  ),
  'the host, in pg_hba.conf': refusedHost,
  'any connection to the database': refusal(
    'ALTER DATABASE ALLOW_CONNECTIONS false',
    'ALTER DATABASE ALLOW_CONNECTIONS true',
  ),
  'a database that was renamed': renamedDatabase,
}

/** What is connected already would not be refused. */
const disconnect = (server: Tern['database']['server']) =>
  server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`)
