import type { ParseArgsOptionsConfig } from 'node:util'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import type { RedirectStateChanges } from '../links/destinations/block-host.ts'
import type { DurableDb, ReadDb } from '../store/handles.ts'

export type Option = { type: 'string' | 'boolean'; multiple?: boolean; value?: string; meaning: string }

export type Call = {
  /** The arguments after the command's name, as many as `words` names. */
  words: string[]
  text(option: string): string | undefined
  texts(option: string): string[]
  isSet(option: string): boolean
}

export type CommandDeps = {
  readConfig(): Config
  clock: Clock
  print(line: string): void
  /** Not part of the output. */
  complain(line: string): void
  /** For commands that only read. Refuses a store that is missing, or that a start would migrate. */
  readStore<Result>(work: (db: ReadDb) => Promise<Result>): Promise<Result>
  /** Opens the store, migrated, and closes it after the work. Also while a server runs. Refuses if there is none. */
  withStore<Result>(work: (db: DurableDb) => Promise<Result>): Promise<Result>
  /** The same, but creates the store if there is none: for commands that a new installation begins with. */
  withNewStore<Result>(work: (db: DurableDb) => Promise<Result>): Promise<Result>
}

export type Command = {
  /** `account create` */
  name: string
  /** The arguments: `<email>`. */
  words?: string[]
  summary: string
  options?: Record<string, Option>
  /** A server goes on when the disk of its log is full; other commands fail. */
  printsLog?: true
  /** Not in the overview: other processes of the program call it. */
  isHidden?: true
  run(call: Call, deps: CommandDeps): Promise<void>
}

/** A command is a process of its own: servers learn of its changes from the store, by triggers. */
export const ANNOUNCED_BY_STORE: RedirectStateChanges = { changed: async () => {} }

export function parseOptions(options: Record<string, Option> = {}): ParseArgsOptionsConfig {
  const parsed: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { type, multiple }] of Object.entries(options))
    parsed[name] = { type, multiple: multiple ?? false }
  return parsed
}

/** `tern account create <email> --name <text> …`, and the meaning of each part. */
export function helpOf({ name, words = [], summary, options = {} }: Command): string {
  const rows = Object.entries(options).map(([option, { value, meaning, multiple }]) => [
    `  --${option}${value === undefined ? '' : ` <${value}>`}${multiple ? ' …' : ''}`,
    meaning,
  ])
  const width = Math.max(0, ...rows.map(([left]) => left!.length)) + 2
  const usage = ['tern', name, ...words, ...(rows.length > 0 ? ['[options]'] : [])].join(' ')
  const lines = rows.map(([left, meaning]) => left!.padEnd(width) + meaning)
  return [`${summary}`, '', `Usage: ${usage}`, ...(lines.length > 0 ? ['', 'Options:', ...lines] : [])].join(
    '\n',
  )
}

/** All commands, or those whose names start with the given word. */
export function overviewOf(commands: readonly Command[], first = ''): string {
  const matches = commands.filter(
    ({ name, isHidden }) => !isHidden && (first === '' || name.split(' ')[0] === first),
  )
  const rows = matches.map(({ name, words = [], summary }) => [`  ${[name, ...words].join(' ')}`, summary])
  const width = Math.max(...rows.map(([left]) => left!.length)) + 2
  const lines = rows.map(([left, summary]) => left!.padEnd(width) + summary)
  return ['Usage: tern <command>', '', 'Commands:', ...lines, '', 'tern <command> --help says more.'].join(
    '\n',
  )
}
