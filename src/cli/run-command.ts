import { parseArgs } from 'node:util'
import { ConfigErrors } from '../config/config.ts'
import { errorBody } from '../errors/error-body.ts'
import { describeError } from '../runtime/log.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Call, type Command, type CommandDeps, helpOf, overviewOf, parseOptions } from './command.ts'
import { ApiRefusal } from './links/call-api.ts'
import { operatorError } from './operator-error.ts'
import { optionSentences } from './option-sentences.ts'

const EXIT_DONE = 0
const EXIT_REFUSED = 1
/** EX_SOFTWARE of sysexits.h. */
const EXIT_BUG = 70
/** What most programs accept for their version. */
const VERSION_OPTIONS = ['--version', '-V']

/** Runs the command of these arguments. Returns the exit code. */
export async function runCommand(
  commands: readonly Command[],
  args: string[],
  deps: CommandDeps,
): Promise<number> {
  let hasPrinted = false
  const print = (line: string) => {
    hasPrinted = true
    deps.print(line)
  }
  try {
    await run(commands, args, { ...deps, print })
    return EXIT_DONE
  } catch (error) {
    const refusal = refusalOf(error, deps)
    // A refusal is printed as one sentence per error; a bug with everything known about it.
    const options = findCommand(commands, args)?.options ?? {}
    const lines =
      refusal === undefined ? [JSON.stringify(describeError(error))] : optionSentences(refusal, options)
    for (const line of lines) deps.complain(line)
    if (refusal === undefined) return EXIT_BUG
    // What checks found is the only JSON of their commands, also when it makes them fail.
    if (args.includes('--json') && !hasPrinted) deps.print(jsonOf(refusal))
    return EXIT_REFUSED
  }
}

async function run(commands: readonly Command[], words: string[], deps: CommandDeps): Promise<void> {
  const args = VERSION_OPTIONS.includes(words[0]!) ? ['version', ...words.slice(1)] : words
  const command = findCommand(commands, args)
  if (command === undefined) return deps.print(overviewFor(commands, args))
  const call = readCall(command, args.slice(command.name.split(' ').length))
  if (call.isSet('help')) return deps.print(helpOf(command))
  await command.run(call, deps)
}

/** The one that the arguments begin with. */
export const findCommand = (commands: readonly Command[], args: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(' ').every((word, i) => args[i] === word))

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

/** What the caller or the operator can fix; undefined for a bug. */
function refusalOf(error: unknown, { readConfig }: CommandDeps): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ConfigErrors)
    return new Refusal('command_failed', 'Settings are invalid.', { fields: { settings: error.errors } })
  const sentence = operatorError(error, readConfig())
  return sentence === undefined ? undefined : new Refusal('command_failed', sentence)
}

/** The body that the API would send. */
const jsonOf = (refusal: Refusal): string =>
  refusal instanceof ApiRefusal ? refusal.sent : errorBody(refusal.code, refusal.message, refusal.fields)
