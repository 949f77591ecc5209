import { systemClock } from '../../runtime/clock.ts'
import { readConfigFromEnvironment } from '../../config/config.ts'
import { blockCodesLostSince } from '../../codes/log/block-lost-codes.ts'
import { configTable } from '../../config/config-table.ts'
import type { DurableDb } from '../../store/handles.ts'
import { refuseMissingStore } from '../../store/missing-store.ts'
import { openStore } from '../../store/open-store.ts'
import { withTables } from '../../store/with-tables.ts'
import { refuseUnfinishedRestore } from '../../store/files/unfinished-restore.ts'
import { VERSION } from '../../runtime/version.ts'
import type { Command, CommandDeps } from '../command.ts'
import { printLine } from '../print-line.ts'
import { findCommand, runCommand } from '../run-command.ts'

const configCommand: Command = {
  name: 'config',
  summary: 'Print every setting and its current value.',
  async run(_call, { readConfig, print }) {
    print(configTable(readConfig()).trimEnd())
  },
}

const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version (also tern --version).',
  async run(_call, { print }) {
    print(`tern ${VERSION}`)
  },
}

type Commands = readonly Command[]

/** By first word, and each in a file that is loaded when it is needed: the server's start does not wait for the others. */
const GROUPS: Record<string, () => Promise<Commands>> = {
  serve: async () => [(await import('./serve-command.ts')).serveCommand],
  health: async () => [(await import('./health-command.ts')).healthCommand],
  config: async () => [configCommand],
  account: async () => (await import('./account-commands.ts')).accountCommands,
  user: async () => (await import('./user-commands.ts')).userCommands,
  workspace: async () => (await import('./workspace-commands.ts')).workspaceCommands,
  domain: async () => (await import('./domain-commands.ts')).domainCommands,
  key: async () => (await import('./key-commands.ts')).keyCommands,
  link: async () => (await import('./link-commands.ts')).linkCommands,
  import: async () => [
    ...(await import('./import-record-commands.ts')).importRecordCommands,
    (await import('./import-command.ts')).importCommand,
  ],
  click: async () => (await import('./click-commands.ts')).clickCommands,
  report: async () => (await import('./report-commands.ts')).reportCommands,
  backup: async () => [(await import('./backup-commands.ts')).backupCommand],
  restore: async () => [(await import('./backup-commands.ts')).restoreCommand],
  store: async () => (await import('./store-commands.ts')).storeCommands,
  doctor: async () => [(await import('./doctor-command.ts')).doctorCommand],
  recount: async () => [(await import('./recount-command.ts')).recountCommand],
  'click-engine': async () => [(await import('./click-engine-command.ts')).clickEngineCommand],
  openapi: async () => [(await import('./openapi-command.ts')).openApiCommand],
  version: async () => [versionCommand],
}

/** Those of the first word, or all. */
async function commandsFor(first: string): Promise<Commands> {
  const group = Object.hasOwn(GROUPS, first) ? [GROUPS[first]!] : Object.values(GROUPS)
  return (await Promise.all(group.map((load) => load()))).flat()
}

const args = Bun.argv.slice(2)
const commands = await commandsFor(args[0] ?? '')

const deps: CommandDeps = {
  readConfig: readConfigFromEnvironment,
  clock: systemClock,
  print: findCommand(commands, args)?.printsLog ? (line) => console.log(line) : printLine,
  complain: (line) => console.error(line),
  readStore: (work) => withTables(readConfigFromEnvironment(), work),
  async withStore(work) {
    const config = readConfigFromEnvironment()
    if (config.databaseUrl === undefined) refuseUnfinishedRestore(config.dataDir)
    await refuseMissingStore(config)
    return withNewStore(work)
  },
  withNewStore,
}

async function withNewStore<Result>(work: (db: DurableDb) => Promise<Result>): Promise<Result> {
  const config = readConfigFromEnvironment()
  const { dataDir } = config
  if (config.databaseUrl === undefined) refuseUnfinishedRestore(dataDir)
  const store = await openStore(config, 'same-thread')
  try {
    // After a restore, and before the next start, a new account must not get an ID that was in use.
    if (config.databaseUrl === undefined) await blockCodesLostSince(store.db, dataDir)
    return await work(store.db)
  } finally {
    await store.close()
  }
}

// Only the owner may read the data folder: it has hashes of passwords and keys, and email addresses.
process.umask(0o077)

// Timers and sockets of a library must not keep a finished command running. The console writes synchronously.
process.exit(await runCommand(commands, args, deps))
