import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { ConfigFaults, readConfigFromEnvironment } from '../config.ts'
import { configTable } from '../config-table.ts'
import { describeError } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { NewerStore } from '../store/migrate.ts'
import { openStore } from '../store/open-store.ts'
import { accountCommands } from './account-commands.ts'
import { type Call, type Command, type CommandDeps, helpOf, overviewOf, parseOptions } from './command.ts'
import { keyCommands } from './key-commands.ts'
import { openApiCommand } from './openapi-command.ts'
import { serveCommand } from './serve-command.ts'

const EXIT_REFUSED = 1
/** EX_SOFTWARE of sysexits.h. */
const EXIT_BUG = 70

const configCommand: Command = {
  name: 'config',
  summary: 'Print every setting with the value in force.',
  async run(_call, { readConfig, print }) {
    print(configTable(readConfig()))
  },
}

const COMMANDS: readonly Command[] = [
  serveCommand,
  configCommand,
  ...accountCommands,
  ...keyCommands,
  openApiCommand,
]

const print = (line: string) => console.log(line)

const deps: CommandDeps = {
  readConfig: readConfigFromEnvironment,
  clock: systemClock,
  print,
  async withStore(work) {
    const store = await openStore(readConfigFromEnvironment().dataDir, 'same-thread')
    try {
      return await work(store.db)
    } finally {
      await store.close()
    }
  },
}

process.exitCode = await runCommand(Bun.argv.slice(2)).catch(exitCodeOf)
// Timers and sockets of a library must not keep a finished command alive.
process.exit()

async function runCommand(args: string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => args[i] === word))
  if (command === undefined) return showOverview(args)
  const call = readCall(command, args.slice(command.name.split(' ').length))
  if (call.isSet('help')) print(helpOf(command))
  else await command.run(call, deps)
  return 0
}

function showOverview(args: string[]): number {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const isKnown = COMMANDS.some(({ name }) => name.split(' ')[0] === words[0])
  if (words.length > 0 && !(isKnown && words.length === 1)) {
    throw new Refusal('invalid', `There is no command "${words.join(' ')}". tern --help lists them.`)
  }
  print(overviewOf(COMMANDS, words[0]))
  return 0
}

function readCall({ name, words = [], options }: Command, args: string[]): Call {
  const { values, positionals } = parse(args, options)
  if (values.help !== true && positionals.length !== words.length) {
    throw new Refusal('invalid', `Usage: tern ${[name, ...words].join(' ')}. tern ${name} --help says more.`)
  }
  return {
    words: positionals,
    text: (option) => values[option] as string | undefined,
    texts: (option) => (values[option] ?? []) as string[],
    isSet: (option) => values[option] === true,
  }
}

function parse(args: string[], options: Command['options']) {
  try {
    return parseArgs({ args, options: parseOptions(options), allowPositionals: true, strict: true })
  } catch (error) {
    throw new Refusal('invalid', (error as Error).message)
  }
}

/** A refusal is one sentence; a bug says all it knows. */
function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigFaults) {
    for (const fault of error.faults) console.error(fault)
    return EXIT_REFUSED
  }
  if (error instanceof Refusal || error instanceof NewerStore) {
    console.error(error.message)
    return EXIT_REFUSED
  }
  console.error(JSON.stringify(describeError(error)))
  return EXIT_BUG
}
