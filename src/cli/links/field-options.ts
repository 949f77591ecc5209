import { readFileSync } from 'node:fs'
import { Refusal } from '../../errors/refusal.ts'
import { fileErrorReason } from '../../runtime/file-error.ts'
import type { Call, Option } from '../command.ts'

// Options that become fields of a request to the API, as they are: what is allowed in them, the API says.

export type FieldOption = Option & {
  /** If it is not that of the field, with hyphens. */
  name?: string
  /** The field; undefined if the option is absent. */
  read(call: Call, name: string): unknown
}

export type FieldOptions = Readonly<Record<string, FieldOption>>
export type Fields = Record<string, unknown>

export const text = (value: string, meaning: string): FieldOption => ({
  type: 'string',
  value,
  meaning,
  read: (call, name) => call.text(name),
})

/** A text that is no number is sent too, so that it is refused with the limits of its field. */
export const number = (meaning: string): FieldOption => ({
  ...text('number', meaning),
  read: (call, name) => {
    const text = call.text(name)
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
  },
})

export const texts = (value: string, meaning: string): FieldOption => ({
  ...text(value, meaning),
  multiple: true,
  read: (call, name) => (call.texts(name).length === 0 ? undefined : call.texts(name)),
})

/** `set`: the value of the field when the option is there. */
export const flag = (meaning: string, set: unknown = true): FieldOption => ({
  type: 'boolean',
  meaning,
  read: (call, name) => (call.isSet(name) ? set : undefined),
})

export const jsonFile = (meaning: string): FieldOption => ({
  ...text('file', meaning),
  read: (call, name) => {
    const file = call.text(name)
    return file === undefined ? undefined : parseJson(file, readTextFile(file))
  },
})

/** What is secret does not go into the arguments, which other users of the machine and the shell's history see. */
export const fromStdin = (meaning: string): FieldOption => ({
  type: 'boolean',
  meaning,
  read: async (call, name) => (call.isSet(name) ? (await Bun.stdin.text()).replace(/\r?\n$/, '') : undefined),
})

export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal('command_failed', `${file} cannot be read: ${fileErrorReason(error)}.`)
  }
}

function parseJson(file: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new Refusal('command_failed', `${file} is not JSON: ${(error as Error).message}.`)
  }
}

const nameOf = (field: string, { name }: FieldOption): string => name ?? field.replaceAll('_', '-')

/** As a command declares them. */
export const optionsOf = (fields: FieldOptions): Record<string, Option> =>
  Object.fromEntries(Object.entries(fields).map(([field, option]) => [nameOf(field, option), option]))

/** The fields whose options are there. */
export async function fieldsOf(fields: FieldOptions, call: Call): Promise<Fields> {
  const input: Fields = {}
  for (const [field, option] of Object.entries(fields)) {
    const value = await option.read(call, nameOf(field, option))
    if (value !== undefined) input[field] = value
  }
  return input
}

export const CLEAR_OPTION = {
  clear: {
    type: 'string',
    multiple: true,
    value: 'option',
    meaning: 'Empty what this option sets: --clear folder.',
  },
} as const

/** `--clear password` empties what `--password-stdin` sets. */
const clearableName = (field: string, option: FieldOption) => nameOf(field, option).replace(/-stdin$/, '')

/** The names that `--clear` takes. */
export const clearableNames = (fields: FieldOptions): string[] =>
  Object.entries(fields).map(([field, option]) => clearableName(field, option))

/** The fields that `--clear` names, as null. `set`: those whose options are there. */
export function clearedFields(fields: FieldOptions, set: Fields, call: Call): Fields {
  const cleared = Object.entries(fields).filter(([field, option]) =>
    call.texts('clear').includes(clearableName(field, option)),
  )
  for (const [field, option] of cleared) {
    if (set[field] === undefined) continue
    throw new Refusal(
      'command_failed',
      `Use either --${nameOf(field, option)} or --clear ${clearableName(field, option)}.`,
    )
  }
  return Object.fromEntries(cleared.map(([field]) => [field, null]))
}
