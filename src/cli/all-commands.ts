import { systemClock } from '../clock.ts'
import { readConfigFromEnvironment } from '../config.ts'
import { blockCodesLostSince } from '../codes/block-lost-codes.ts'
import { configTable } from '../config-table.ts'
import { openStore } from '../store/open-store.ts'
import { refuseUnfinishedRestore } from '../store/unfinished-restore.ts'
import { VERSION } from '../version.ts'
import { accountCommands } from './account-commands.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor-command.ts'
import { healthCommand } from './health-command.ts'
import { keyCommands } from './key-commands.ts'
import { openApiCommand } from './openapi-command.ts'
import { recountCommand } from './recount-command.ts'
import { type RunDeps, runCommand } from './run-command.ts'
import { serveCommand } from './serve-command.ts'
import { storeCommands } from './store-commands.ts'

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
  ...keyCommands,
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
      // An account made before the first start on an older database must not get an id that there has been.
      if (config.databaseUrl === undefined) await blockCodesLostSince(store.db, dataDir)
      return await work(store.db)
    } finally {
      await store.close()
    }
  },
}

// What is in the data folder is for its owner alone: password hashes, keys' hashes, e-mail addresses.
process.umask(0o077)

// Timers and sockets of a library must not keep a finished command alive. What was printed is out: console waits for it.
process.exit(await runCommand(COMMANDS, Bun.argv.slice(2), deps))
