import { describe, expect, test } from 'bun:test'
import { manualClock } from '../runtime/clock.ts'
import { readConfig } from '../config/config.ts'
import { invalid, Refusal } from '../errors/refusal.ts'
import type { Call, Command } from './command.ts'
import { runCommand } from './run-command.ts'

const done = { exitCode: 0, printed: [], complaints: [] }

describe('a call', () => {
  test('has the words behind the name, and the options', async () => {
    const calls: Call[] = []
    const words = 'key create a@example.com --name Mine --scope one --scope two --json'.split(' ')
    expect(await tern(words, async (call) => void calls.push(call))).toEqual(done)
    const [call] = calls
    expect(call!.words).toEqual(['a@example.com'])
    expect([call!.text('name'), call!.texts('scope'), call!.isSet('json')]).toEqual([
      'Mine',
      ['one', 'two'],
      true,
    ])
  })

  test('without options has none of them', async () => {
    const calls: Call[] = []
    expect(await tern(['key', 'create', 'a@b.c'], async (call) => void calls.push(call))).toEqual(done)
    const [call] = calls
    expect([call!.text('name'), call!.texts('scope'), call!.isSet('json')]).toEqual([undefined, [], false])
  })

  test('with a word that begins with a dash has it behind --', async () => {
    const calls: Call[] = []
    expect(await tern(['key', 'create', '--', '-a@b.c'], async (call) => void calls.push(call))).toEqual(done)
    expect(calls[0]!.words).toEqual(['-a@b.c'])
  })
})

describe('help', () => {
  const fails = () => Promise.reject(new Error('It ran.'))

  test.each([
    ['key create --help'],
    ['key create -h'],
    ['key create --help --name x'],
    ['key create a b --help'],
  ])('is shown and nothing is done: tern %s', async (words) => {
    const { exitCode, printed, complaints } = await tern(words.split(' '), fails)
    expect([exitCode, complaints]).toEqual([0, []])
    expect(printed).toEqual([expect.stringContaining('Usage: tern key create <email> [options]')])
  })

  test.each([[''], ['--help'], ['-h']])('of everything is the list of commands: tern %s', async (words) => {
    const { exitCode, printed } = await tern(words.split(' ').filter(Boolean), fails)
    expect(exitCode).toBe(0)
    expect(printed[0]).toContain('config')
    expect(printed[0]).toContain('key create <email>')
  })

  test.each([['key'], ['key --help']])('of a noun is the list of its commands: tern %s', async (words) => {
    const { exitCode, printed } = await tern(words.split(' '), fails)
    expect(exitCode).toBe(0)
    expect(printed[0]).toContain('key create <email>')
    expect(printed[0]).not.toContain('config')
  })
})

describe('a refusal is one sentence for each fault, and exit code 1', () => {
  test.each([
    ['frob', 'There is no command "frob". tern --help lists them.'],
    ['key frob', 'There is no command "key frob". tern --help lists them.'],
    ['key create', 'Usage: tern key create <email>. tern key create --help says more.'],
    ['key create a b', 'Usage: tern key create <email>. tern key create --help says more.'],
    ['config more', 'Usage: tern config. tern config --help says more.'],
    ['key create a --frob', "Unknown option '--frob'. tern key create --help says more."],
    ['key create a --name', "Option '--name <value>' argument missing. tern key create --help says more."],
    ['key create a --json=1', "Option '--json' does not take an argument. tern key create --help says more."],
  ])('for words that make no sense: tern %s', async (words, sentence) => {
    expect(await tern(words.split(' '))).toEqual(refused(sentence))
  })

  test('for a refusal of a module', async () => {
    const run = () => Promise.reject(new Refusal('api_key_not_found', 'There is no such key.'))
    expect(await tern(['config'], run)).toEqual(refused('There is no such key.'))
  })

  test('for each value that breaks a rule', async () => {
    const run = () => Promise.reject(invalid({ name: ['No name.'], email: ['No email.', 'No at.'] }))
    expect(await tern(['config'], run)).toEqual(refused('No name.', 'No email.', 'No at.'))
  })

  test('for each setting that cannot be used', async () => {
    const run = async () => void readConfig({ PORT: 'x', HOST: 'a b' })
    const { exitCode, complaints } = await tern(['config'], run)
    expect(exitCode).toBe(1)
    expect(complaints).toEqual([expect.stringMatching(/^PORT /), expect.stringMatching(/^HOST /)])
  })

  test('for what the operator can fix', async () => {
    const error = Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })
    const { exitCode, complaints } = await tern(['config'], () => Promise.reject(error))
    expect([exitCode, complaints]).toEqual([
      1,
      ['The disk that holds /data is full. Free some space and try again.'],
    ])
  })
})

describe('with --json, a refusal is also printed as the API sends it', () => {
  const words = 'key create a@example.com --json'.split(' ')
  const failing = (error: unknown) => tern(words, () => Promise.reject(error))

  test('with its code, its message and its fields', async () => {
    const { exitCode, printed, complaints } = await failing(new Refusal('account_not_found', 'No account.'))
    expect([exitCode, complaints, printed.map((line) => JSON.parse(line))]).toEqual([
      1,
      ['No account.'],
      [{ success: false, code: 'account_not_found', message: 'No account.', errors: {} }],
    ])
    const invalidName = await failing(invalid({ name: ['No name.'] }))
    expect(JSON.parse(invalidName.printed[0]!)).toEqual({
      success: false,
      code: 'validation_failed',
      message: 'No name.',
      errors: { name: ['No name.'] },
    })
  })

  test('with a code of its own for what the operator can fix', async () => {
    const { printed } = await failing(Object.assign(new Error('disk'), { code: 'SQLITE_FULL' }))
    expect(JSON.parse(printed[0]!)).toMatchObject({ success: false, code: 'command_failed', errors: {} })
  })

  test('unless the command has printed its own JSON', async () => {
    const outcome = await tern(words, (_, { print }) => {
      print('{"faults":1}')
      return Promise.reject(new Refusal('command_failed', '1 check failed.'))
    })
    expect(outcome).toEqual({ exitCode: 1, printed: ['{"faults":1}'], complaints: ['1 check failed.'] })
  })
})

test('a bug says all it knows in one line, and its exit code is 70', async () => {
  const { exitCode, printed, complaints } = await tern(['config'], () =>
    Promise.reject(new TypeError('Something is undefined.')),
  )
  expect([exitCode, printed, complaints.length]).toEqual([70, [], 1])
  expect(JSON.parse(complaints[0]!)).toMatchObject({
    error: 'TypeError: Something is undefined.',
    stack: expect.stringContaining('run-command.test.ts'),
  })
})

/** What becomes of the words, with a command that does as the test says. */
async function tern(words: string[], run: Command['run'] = async () => {}) {
  const printed: string[] = []
  const complaints: string[] = []
  const commands: Command[] = [
    { name: 'config', summary: 'Print it.', run },
    {
      name: 'key create',
      words: ['<email>'],
      summary: 'Make a key.',
      options: {
        name: { type: 'string', value: 'text', meaning: 'What for.' },
        scope: { type: 'string', multiple: true, value: 'scope', meaning: 'What it may do.' },
        json: { type: 'boolean', meaning: 'Print JSON.' },
      },
      run,
    },
    { name: 'key list', summary: 'List them.', run },
  ]
  const exitCode = await runCommand(commands, words, {
    readConfig: () => readConfig({ DATA_DIR: '/data' }),
    clock: manualClock(0),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    readStore: () => Promise.reject(new Error('There is no store here.')),
    withStore: () => Promise.reject(new Error('There is no store here.')),
    withNewStore: () => Promise.reject(new Error('There is no store here.')),
  })
  return { exitCode, printed, complaints }
}
const refused = (...complaints: string[]) => ({ exitCode: 1, printed: [], complaints })
