import { parseArgs } from 'node:util'
import { ConfigErrors } from '../config/config.ts'
import { describeError } from '../runtime/log.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Call, type Command, type CommandDeps, helpOf, overviewOf, parseOptions } from './command.ts'
import { operatorError } from './operator-error.ts'

const EXIT_DONE = 0
const EXIT_REFUSED = 1
/** EX_SOFTWARE of sysexits.h. */
const EXIT_BUG = 70
/** What most programs accept for their version. */
const VERSION_OPTIONS = ['--version', '-V']

export type RunDeps = CommandDeps & { complain(line: string): void }

/** Runs the command of these arguments. Returns the exit code. */
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
    // A refusal is printed as one sentence per error; a bug with everything known about it.
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
    throw new Refusal('command_failed', `There is no command "${words.join(' ')}". tern --help lists them.`)
  }
  return overviewOf(commands, words[0])
}

function readCall(command: Command, args: string[]): Call {
  const { name, words = [] } = command
  const { values, positionals } = parse(command, args)
  if (values.help !== true && positionals.length !== words.length) {
    throw new Refusal(
      'command_failed',
      `Usage: tern ${[name, ...words].join(' ')}. tern ${name} --help says more.`,
    )
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
    // Node adds advice about positional arguments, which is hardly ever the problem.
    const [sentence] = (error as Error).message.split('. ')
    throw new Refusal('command_failed', `${sentence!.replace(/\.$/, '')}. tern ${name} --help says more.`)
  }
}

/** Sentences about what the caller or the operator can fix; undefined for a bug. */
function refusalOf(error: unknown, { readConfig }: CommandDeps): string[] | undefined {
  if (error instanceof ConfigErrors) return error.errors
  if (error instanceof Refusal) {
    const sentences = Object.values(error.fields).flat()
    return sentences.length > 0 ? sentences : [error.message]
  }
  const sentence = operatorError(error, readConfig())
  return sentence === undefined ? undefined : [sentence]
}
