import { parseArgs } from 'node:util'
import { ConfigFaults } from '../config.ts'
import { describeError } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { type Call, type Command, type CommandDeps, helpOf, overviewOf, parseOptions } from './command.ts'
import { operatorFault } from './operator-fault.ts'

const EXIT_DONE = 0
const EXIT_REFUSED = 1
/** EX_SOFTWARE of sysexits.h. */
const EXIT_BUG = 70
/** What most programs print their version for. */
const VERSION_OPTIONS = ['--version', '-V']

export type RunDeps = CommandDeps & { complain(line: string): void }

/** Runs what the words after `tern` ask for; the exit code. */
export async function runCommand(
  commands: readonly Command[],
  args: string[],
  deps: RunDeps,
): Promise<number> {
  try {
    await run(commands, args, deps)
    return EXIT_DONE
  } catch (error) {
    const sentences = refusalOf(error, deps)
    // A refusal is said in a sentence a fault; a bug says all it knows.
    for (const line of sentences ?? [JSON.stringify(describeError(error))]) deps.complain(line)
    return sentences === undefined ? EXIT_BUG : EXIT_REFUSED
  }
}

async function run(commands: readonly Command[], words: string[], deps: CommandDeps): Promise<void> {
  const args = VERSION_OPTIONS.includes(words[0]!) ? ['version', ...words.slice(1)] : words
  const command = commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word))
  if (command === undefined) return deps.print(overviewFor(commands, args))
  const call = readCall(command, args.slice(command.name.split(' ').length))
  if (call.isSet('help')) return deps.print(helpOf(command))
  await command.run(call, deps)
}

function overviewFor(commands: readonly Command[], args: string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const isKnown = commands.some(({ name }) => name.split(' ')[0] === words[0])
  if (words.length > 0 && !(isKnown && words.length === 1)) {
    throw new Refusal('invalid', `There is no command "${words.join(' ')}". tern --help lists them.`)
  }
  return overviewOf(commands, words[0])
}

function readCall(command: Command, args: string[]): Call {
  const { name, words = [] } = command
  const { values, positionals } = parse(command, args)
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

function parse({ name, options }: Command, args: string[]) {
  try {
    return parseArgs({ args, options: parseOptions(options), allowPositionals: true, strict: true })
  } catch (error) {
    // Node adds advice about positional arguments, which hardly ever is what went wrong.
    const [sentence] = (error as Error).message.split('. ')
    throw new Refusal('invalid', `${sentence!.replace(/\.$/, '')}. tern ${name} --help says more.`)
  }
}

/** The sentences for what the caller or the operator can mend; undefined for a bug of ours. */
function refusalOf(error: unknown, { readConfig }: CommandDeps): string[] | undefined {
  if (error instanceof ConfigFaults) return error.faults
  if (error instanceof Refusal) {
    const sentences = Object.values(error.fields).flat()
    return sentences.length > 0 ? sentences : [error.message]
  }
  const sentence = operatorFault(error, readConfig())
  return sentence === undefined ? undefined : [sentence]
}
