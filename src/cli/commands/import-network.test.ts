import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fixture } from '../../../test/rigs/import-fixtures.ts'
import { KEY, linksIn, serviceOf, SOURCE_APIS } from '../../../test/rigs/import/source-apis.ts'
import { type SourceServer, startSourceServer, statusOnly } from '../../../test/rigs/import/source-server.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const rig = useRig(() => startLinkCommandsRig(['kutt.example', 'many.example']))
let server: SourceServer
beforeEach(startServer)
afterEach(() => server.stop())

const KUTT = SOURCE_APIS.find(({ source }) => source === 'kutt')!
let links: ReturnType<typeof linksIn>

test('links are imported by an API as from its files, and equal in a second run', async () => {
  const files = KUTT.files.flatMap((file) => ['--file', fixture(file)])
  const fromFiles = summary(await tern(['kutt', ...files, ...ON_DOMAIN, '--dry-run']))
  const trial = await tern([...byUrl(), '--dry-run'])
  expect([trial.exitCode, trial.complaints, summary(trial)]).toEqual([0, '', fromFiles])
  expect(trial.output).toStartWith(`${server.url}: links of Kutt, by its API\nlink `)

  const counts = /^Dry run, nothing was stored: (\d+) created, (\d+ refused)\.$/.exec(fromFiles)!
  expect(summary(await tern(byUrl()))).toBe(`${counts[1]} created, ${counts[2]}.`)
  expect(summary(await tern(byUrl()))).toBe(`${counts[1]} equal, ${counts[2]}.`)
})

test('an import that was cut off goes on where it is run again', async () => {
  links = Array.from({ length: 250 }, (_, at) => manyLink(at))
  const words = ['kutt', '--url', server.url, '--domain', 'many.example']
  // The tenth page: 100 links were sent by then.
  server.first(...Array.from({ length: 9 }, () => serviceOf(KUTT, () => links)), statusOnly(401))
  const first = await tern(words)
  expect([first.exitCode, first.complaints, summary(first)]).toEqual([1, REFUSED_KEY, '100 created.'])
  expect(summary(await tern(words))).toBe('150 created, 100 equal.')
})

test('a dry run says how many requests a history of clicks takes, and with it links have their days', async () => {
  const dub = SOURCE_APIS.find(({ source }) => source === 'dub')!
  const service = await startSourceServer(serviceOf(dub, () => linksIn(dub)))
  const words = ['dub', '--url', service.url, '--domain', 'many.example', '--dry-run']
  const totals = await tern(words)
  expect(totals.complaints).toMatch(/^Clicks come along without .* by about \d+ more requests to Dub\.\n$/)
  const history = await tern([...words, '--clicks', 'history'])
  expect(history.complaints).toBe('')
  expect(totals.output).toContain('Its 88 clicks come along as a total, without days.')
  expect(history.output).toContain('Of its 88 clicks, 10 come along with their days.')
  await service.stop()
})

const REFUSED_KEY = 'Kutt refuses this key. Create one that may read links.\n'

test('in JSON, a link has the URL of the API and its place', async () => {
  links = [manyLink(0)]
  const { output } = await tern(['kutt', '--url', `${server.url}/`, ...ON_DOMAIN, '--json', '--dry-run'])
  expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({
    file: server.url,
    at: 'link 1',
    code: 'many-0',
    result: 'created',
  })
})

describe('the key', () => {
  test('may be an option, which wins', async () => {
    const words = [...byUrl(), '--dry-run', '--key', KEY]
    expect((await tern(words, { TERN_SOURCE_KEY: 'another-key' })).exitCode).toBe(0)
  })

  test('is not shown if it is refused', async () => {
    const { exitCode, output, complaints } = await tern([...byUrl(), '--key', 'wrong-key'])
    expect([exitCode, output, complaints]).toEqual([
      1,
      `${server.url}: links of Kutt, by its API\n`,
      REFUSED_KEY,
    ])
  })
})

test.each<[what: string, words: string[], complaint: string]>([
  ['without a URL', ['kutt'], 'Name files of Kutt with --file, or its URL with --url.'],
  [
    'without a key',
    ['dub', '--dry-run'],
    'Name files of Dub with --file, or set TERN_SOURCE_KEY to a key of its API.',
  ],
  ['with a key that is none', ['dub', '--key', 'a b'], '--key must be up to 1,024 letters, digits and signs'],
  ['of files and a URL', ['dub', '--file', 'a', '--url', 'b'], '--url cannot be used with --file.'],
  ['of files and a key', ['dub', '--file', 'a', '--key', 'b'], '--key cannot be used with --file.'],
  ['of files and a history', ['dub', '--file', 'a', '--clicks', 'history'], '--clicks cannot be used with'],
  ['of other clicks', ['dub', '--key', 'b', '--clicks', 'none'], '--clicks must be one of history, totals.'],
  [
    'of clicks that are left out',
    ['dub', '--key', 'b', '--clicks', 'totals', '--without', 'clicks'],
    'Use either',
  ],
  [
    'of a history that the API does not have',
    ['rebrandly', '--key', 'b', '--clicks', 'history'],
    'The API of Rebrandly has totals only, so --clicks history is not possible.',
  ],
  ['with columns', ['dub', '--column', 'code=x', '--key', 'b'], '--column is for files.'],
  [
    'of a source of files',
    ['csv', '--url', 'https://a.example'],
    'The source csv is read from files only: use --file.',
  ],
  [
    'by what is no URL',
    ['kutt', '--url', 'go.example', '--key', 'a'],
    '--url must start with https:// or another scheme. Did you mean https://go.example?',
  ],
  [
    'with a password in the URL',
    ['kutt', '--url', 'https://a:b@go.example', '--key', 'a'],
    '--url may not contain a user name or password.',
  ],
  [
    'with a key in the URL',
    ['yourls', '--url', 'https://go.example/?signature=x', '--key', 'a'],
    '--url may have no query: the key is given by itself.',
  ],
])('an import %s is refused', async (_, words, complaint) => {
  const ended = await tern(words, { TERN_SOURCE_KEY: '' })
  expect([ended.exitCode, ended.output, ended.complaints]).toEqual([
    1,
    '',
    expect.stringContaining(complaint),
  ])
})

async function startServer(): Promise<void> {
  links = linksIn(KUTT)
  server = await startSourceServer(serviceOf(KUTT, () => links))
}

const ON_DOMAIN = ['--domain', 'kutt.example']
const byUrl = () => ['kutt', '--url', server.url, ...ON_DOMAIN]

const manyLink = (at: number) => ({
  id: String(at),
  address: `many-${at}`,
  target: `https://example.com/${at}`,
  link: `https://many.example/many-${at}`,
})

/** The line with the numbers. */
const summary = ({ output }: { output: string }) =>
  output.split('\n').findLast((row) => /\b(created|equal|refused|links)\.$/i.test(row))!

/** The key is in no output. */
async function tern(words: string[], settings: Record<string, string> = {}) {
  const ended = await runTern(['import', ...words], {
    BASE_URL: rig.origin,
    TERN_API_KEY: rig.folder.key,
    TERN_SOURCE_KEY: KEY,
    ...settings,
  })
  for (const secret of [KEY, 'wrong-key', 'another-key']) {
    expect(ended.output).not.toContain(secret)
    expect(ended.complaints).not.toContain(secret)
  }
  return ended
}
