import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Ended, runTern, spawnTern } from '../../../test/rigs/program/server-process.ts'
import packageFile from '../../../package.json'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { configTable } from '../../config/config-table.ts'
import { readConfig } from '../../config/config.ts'

const folders = temporaryFolders()
let dataDir: string
beforeEach(makeFolder)
afterEach(folders.remove)

describe('help', () => {
  test('lists every command, with or without --help, and each says more', async () => {
    const overview = await runTern(['--help'], {})
    expect([overview.exitCode, overview.complaints]).toEqual([0, ''])
    expect(await runTern([], {})).toEqual(overview)
    for (const name of COMMANDS) expect(overview.output).toContain(`\n  ${name} `)
    for (const [i, { exitCode, output, complaints }] of (await Promise.all(COMMANDS.map(helpOf))).entries()) {
      expect([exitCode, complaints]).toEqual([0, ''])
      expect(output).toContain(`\nUsage: tern ${COMMANDS[i]}`)
    }
  })
})

/** The commands that a new installation begins with, and those that have a place of their own to create. */
const CREATORS = ['serve', 'account create', 'domain add', 'restore', 'store move']

const COMMANDS = [
  'serve',
  'health',
  'config',
  'account create',
  'account verify',
  'account list',
  'account role',
  'account reset-link',
  'account plan',
  'user list',
  'user suspend',
  'user reinstate',
  'workspace list',
  'workspace show',
  'workspace plan',
  'workspace suspend',
  'workspace reinstate',
  'domain list',
  'domain add',
  'domain verify',
  'domain remove',
  'key create',
  'key list',
  'key revoke',
  'link create',
  'link show',
  'link list',
  'link edit',
  'link disable',
  'link enable',
  'link explain',
  'link history',
  'link restore-version',
  'link delete',
  'link delete-clicks',
  'link trash',
  'link restore',
  'import list',
  'import undo',
  'import',
  'click export',
  'report list',
  'report close',
  'backup',
  'restore',
  'store move',
  'store reopen',
  'doctor',
  'recount',
  'openapi',
  'version',
]

test.each(COMMANDS.filter((name) => !CREATORS.includes(name)))(
  'tern %s creates no folder and no database',
  async (name) => {
    const words = name.split(' ')
    const { output } = await helpOf(name)
    const usage = output.slice(output.indexOf('Usage: ')).split('\n')[0]!
    const given = [...usage.matchAll(/<([^>]+)>/g)].map(([, argument]) =>
      argument === 'store'
        ? `sqlite:${join(dataDir, 'none')}`
        : argument === 'file'
          ? join(dataDir, 'file')
          : '1',
    )
    const ended = await runTern([...words, ...given, ...(name === 'recount' ? ['--check'] : [])], {
      DATA_DIR: join(dataDir, 'none'),
      TERN_API_KEY: `tern_${'a'.repeat(38)}`,
      BASE_URL: 'http://127.0.0.1:1',
      PORT: '1',
    })
    expect(readdirSync(dataDir)).toEqual([])
    // A sentence, not a bug.
    expect([0, 1]).toContain(ended.exitCode)
    expect(ended.complaints).toMatch(/^(|[A-Za-z][^\n]+\.\n)$/)
  },
)

describe('the settings', () => {
  const settings = () => ({ DATA_DIR: dataDir, PORT: '4321', JOURNAL_RETENTION: '3d' })

  test('are printed with the values in force, from a checkout by npm too', async () => {
    const table = configTable(readConfig(settings()), settings())
    expect(table).toContain('* PORT ')
    expect(table).toContain(' 4321 ')
    expect(await runTern(['config'], settings())).toEqual({
      exitCode: 0,
      output: table,
      complaints: '',
    })
    const npm = Bun.spawn(['npm', 'run', '--silent', 'tern', '--', 'config'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: dataDir, ...settings() },
      stdout: 'pipe',
    })
    expect(await npm.stdout.text()).toBe(table)
    expect(await npm.exited).toBe(0)
  })

  test('that cannot be used are refused with a sentence each, whatever the command, and no secret is shown', async () => {
    const bad = {
      PORT: 'x',
      DATABASE_URL: 'mysql://tern:hunter2@localhost/tern',
      TERN_FOO: '1',
      JOURNAL_SYNCH: 'disk',
    }
    for (const words of [['config'], ['serve'], ['account', 'list']]) {
      const { exitCode, output, complaints } = await runTern(words, bad)
      expect([exitCode, output]).toEqual([1, ''])
      expect(complaints.trim().split('\n')).toEqual([
        'PORT is "x" but must be a whole number from 0 to 65535.',
        'DATABASE_URL must be a URL such as postgres://user:password@db.example.com:5432/tern.',
        'TERN_FOO is not a setting.',
        'JOURNAL_SYNCH is not a setting: did you mean JOURNAL_SYNC?',
      ])
      expect(complaints).not.toContain('hunter2')
    }
  })

  test.each([
    ['TRUSTED_PROXIES', 'fe80::1%eth0'],
    ['GEOIP_DB', import.meta.path],
  ])('that turn out bad when they are used are refused in one sentence too: %s', async (name, value) => {
    const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', BASE_URL: 'http://localhost' }
    const { exitCode, output, complaints } = await runTern(['serve'], { ...settings, [name]: value })
    expect([exitCode, output]).toEqual([1, ''])
    expect(complaints).toMatch(/^[^\n]+\.\n$/)
    expect(complaints).toContain(value)
  })
})

test.each([['version'], ['--version'], ['-V']])('tern %s prints the version of the package', async (word) => {
  const ended = await runTern([word], { DATA_DIR: dataDir })
  expect(ended).toEqual({ exitCode: 0, output: `tern ${packageFile.version}\n`, complaints: '' })
})

test('a refusal is one sentence on stderr, nothing on stdout, and exit code 1', async () => {
  writeFileSync(join(dataDir, 'file'), '')
  const cases: [words: string[], settings: Record<string, string>][] = [
    [['frob'], {}],
    [['account', 'create'], {}],
    [['account', 'list', '--frob'], {}],
    [['account', 'list'], { DATA_DIR: join(dataDir, 'file') }],
    [['serve'], { DATA_DIR: join(dataDir, 'file') }],
  ]
  for (const [words, settings] of cases) {
    const { exitCode, output, complaints } = await runTern(words, { DATA_DIR: dataDir, ...settings })
    expect([exitCode, output]).toEqual([1, ''])
    expect(complaints).toMatch(/^[A-Z][^\n]+\.\n$/)
  }
})

test('long output reaches a slow reader whole, although the program ends by itself at once', async () => {
  const whole = (await runTern(['openapi'], {})).output
  const child = spawnTern(['openapi'], {})
  const decoder = new TextDecoder()
  let slow = ''
  for await (const bytes of child.stdout) {
    slow += decoder.decode(bytes, { stream: true })
    await Bun.sleep(50)
  }
  expect(await child.exited).toBe(0)
  // More than a pipe holds, so the program had to wait for its reader.
  expect(whole.length).toBeGreaterThan(70_000)
  expect(slow).toBe(whole)
})

function makeFolder(): void {
  dataDir = folders.make()
}

const ROOT = dirname(dirname(dirname(import.meta.dir)))
const helps = new Map<string, Promise<Ended>>()

/** What it says about itself, asked once: each start of the program costs a third of a second. */
function helpOf(name: string): Promise<Ended> {
  const help = helps.get(name) ?? runTern([...name.split(' '), '--help'], { PORT: 'bad' })
  helps.set(name, help)
  return help
}
