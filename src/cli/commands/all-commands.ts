import { systemClock } from '../../runtime/clock.ts'
import { readConfigFromEnvironment } from '../../config/config.ts'
import { blockCodesLostSince } from '../../codes/log/block-lost-codes.ts'
import { configTable } from '../../config/config-table.ts'
import { openStore } from '../../store/open-store.ts'
import { refuseUnfinishedRestore } from '../../store/files/unfinished-restore.ts'
import { VERSION } from '../../runtime/version.ts'
import { accountCommands } from './account-commands.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command } from '../command.ts'
import { domainCommands } from './domain-commands.ts'
import { doctorCommand } from './doctor-command.ts'
import { healthCommand } from './health-command.ts'
import { keyCommands } from './key-commands.ts'
import { openApiCommand } from './openapi-command.ts'
import { recountCommand } from './recount-command.ts'
import { reportCommands } from './report-commands.ts'
import { type RunDeps, runCommand } from '../run-command.ts'
import { serveCommand } from './serve-command.ts'
import { storeCommands } from './store-commands.ts'
import { userCommands } from './user-commands.ts'
import { workspaceCommands } from './workspace-commands.ts'

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

const COMMANDS: readonly Command[] = [
  serveCommand,
  healthCommand,
  configCommand,
  ...accountCommands,
  ...userCommands,
  ...workspaceCommands,
  ...domainCommands,
  ...keyCommands,
  ...reportCommands,
  ...backupCommands,
  ...storeCommands,
  doctorCommand,
  recountCommand,
  openApiCommand,
  versionCommand,
]

const deps: RunDeps = {
  readConfig: readConfigFromEnvironment,
  clock: systemClock,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  async withStore(work) {
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
  },
}

// Only the owner may read the data folder: it has hashes of passwords and keys, and email addresses.
process.umask(0o077)

// Timers and sockets of a library must not keep a finished command running. The console writes synchronously.
process.exit(await runCommand(COMMANDS, Bun.argv.slice(2), deps))
