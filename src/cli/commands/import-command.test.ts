import { expect, test } from 'bun:test'
import { fixture, temporaryFile } from '../../../test/rigs/import-fixtures.ts'
import { documentedFetch } from '../../../test/rigs/http/documented-fetch.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const rig = useRig(startLinkCommandsRig)

test('a file is tried out, imported, and then equal to what is there', async () => {
  const words = ['csv', '--file', fixture('csv/broken-rows.csv')]
  const trial = await tern([...words, '--dry-run'])
  expect([trial.exitCode, trial.complaints]).toEqual([0, ''])
  expect(trial.output).toContain(COLUMNS)
  expect(trial.output).toEndWith('\nDry run, nothing was stored: 8 created, 10 refused.\n')
  expect(await rig.visit('good-1')).toEqual([404, null])

  const { output } = await tern(words)
  expect(output.split('\n').filter((line) => line.startsWith('line '))).toEqual(REFUSED)
  expect(output).toMatch(
    /\n8 created, 10 refused\.\nUndo it with "tern import undo \d+", within 30 days\.\n$/,
  )
  expect(await rig.visit('good-1')).toEqual([302, 'https://example.com/good-1'])

  expect((await tern(words)).output).toEndWith('\n8 equal, 10 refused.\n')
})

test('links on domains that the workspace does not have are refused, with a line about what helps', async () => {
  const file = temporaryFile('url,short url\nhttps://example.com/1,https://go.example/elsewhere-1\n')
  const words = ['csv', '--file', file, '--dry-run']
  const { output } = await tern(words)
  expect(output).toContain('line 2: elsewhere-1 is refused. The domain is not one that you can use.\n')
  expect(output).toEndWith('put all links on one of yours with --domain.\n')
  const onOurs = await tern([...words, '--domain', 'localhost'])
  expect(onOurs.output).toEndWith('\nDry run, nothing was stored: 1 created.\n')
})

const COLUMNS = `broken-rows.csv: CSV in utf-8, separated by commas, with a row of names
  destination: url
  code: slug
  title: title
line 3: `

const NO_URL = 'The destination must be a valid URL that starts with http:// or https://.'
const TOO_LONG = 'The code may not take more than 255 bytes.'

const REFUSED = [
  `line 3: bad-url is refused. ${NO_URL}`,
  `line 4: bad-scheme is refused. ${NO_URL}`,
  'line 5: no-target is refused. The destination field is required.',
  'line 6: good-1 is refused. The code is used before, at line 2.',
  'line 8: admin is refused. This server uses the code for itself on this domain. Put such links on a domain of their own.',
  'line 10: a b/c is refused. The code may not contain spaces, invisible characters or any of ? # % \\.',
  'line 14: too-long is refused. The destination may not be greater than 8192 characters.',
  'line 17: the link is refused. The row has 5 values for 3 columns.',
  `line 19: formula is refused. ${NO_URL}`,
  'line 20: the link is refused. A quote is opened and never closed, so the rest of the file was not read.',
]

test('of two links with the same code, the earlier one has it, however far apart and however their domain is written', async () => {
  const between = Array.from({ length: 250 }, (_, at) => `between-${at},https://example.com/${at}\n`)
  const [earlier, later] = [
    'far-apart,https://example.com/earlier',
    'http://localhost/far-apart,https://example.com/later',
  ]
  const file = temporaryFile(`short url,url\n${earlier}\n${between.join('')}${later}\n`)
  const { output } = await tern(['csv', '--file', file])
  expect(output).toContain('\nline 253: far-apart differs')
  expect(output).toContain('\n251 created, 1 skipped.\n')
  expect(await rig.visit('far-apart')).toEqual([302, 'https://example.com/earlier'])
})

test('what two links of a file share is said to be used twice in the import', async () => {
  const rows = ['repeated,1', 'http://localhost/repeated,2', 'repeated-id,2']
  const file = temporaryFile(
    `short url,external id,url\n${rows.map((row) => `${row},https://example.com/\n`).join('')}`,
  )
  const { output } = await tern(['csv', '--file', file, '--dry-run'])
  expect(output.split('\n').filter((line) => line.startsWith('line '))).toEqual([
    'line 3: repeated is refused. The code is used twice in this import.',
    'line 4: repeated-id is refused. The external id is used twice in this import.',
  ])
})

test('what is too large is refused with a short line, and the others are imported', async () => {
  const rows = [
    `https://example.com/${'\x01'.repeat(200_000)},large`,
    `https://example.com/a,${'c'.repeat(500_000)}`,
    'https://example.com/a,after-large',
  ]
  const { output } = await tern(['csv', '--file', temporaryFile(`url,slug\n${rows.join('\n')}\n`)])
  expect(output.split('\n').slice(-5, -2)).toEqual([
    'line 2: large is refused. The link has more than 900 KB of data.',
    `line 3: ${'c'.repeat(79)}… is refused. ${TOO_LONG}`,
    '1 created, 2 refused.',
  ])
})

test('links with more rules than a request may have are imported all the same', async () => {
  const rules = Array.from({ length: 11 }, (_, at) => ({
    when: { country: ['DE'] },
    to: `https://example.com/${at}`,
  }))
  const lines = Array.from({ length: 100 }, (_, at) =>
    JSON.stringify({ short_code: `ruled-${at}`, original_url: 'https://example.com/', rules }),
  )
  const { output } = await tern(['tern', '--file', temporaryFile(lines.join('\n')), '--dry-run'])
  expect(output).toEndWith('\nDry run, nothing was stored: 100 created.\n')
})

test('a file without links is named, and an empty one is refused', async () => {
  const names = temporaryFile('url,slug\n')
  const file = temporaryFile('url,slug\nhttps://example.com/,beside-none\n')
  const { exitCode, output } = await tern(['csv', '--file', names, '--file', file, '--dry-run'])
  expect([exitCode, output.split('\n')]).toEqual([
    0,
    expect.arrayContaining([`${names} has no links.`, 'Dry run, nothing was stored: 1 created.']),
  ])
  expect(output).not.toContain(`${file} has no links.`)
  const empty = temporaryFile('')
  const refused = await tern(['csv', '--file', empty])
  expect(refused).toEqual({ exitCode: 1, output: '', complaints: `${empty} is empty.\n` })
})

test('a conflict says what differs, and is decided by the choice', async () => {
  await rig.create('mine', '--title', 'Mine')
  const file = temporaryFile('url,slug,title,notes\nhttps://example.com/mine,mine,Theirs,New\n')
  const outcome = async (...choice: string[]) =>
    (await tern(['csv', '--file', file, ...choice])).output.split('\n').slice(-3, -1)
  const differences = 'title "Mine" here, "Theirs" in the import; notes null here, "New" in the import.'
  expect(await outcome()).toEqual([
    `line 2: mine differs, and is left as it is here: ${differences}`,
    '1 skipped.',
  ])
  expect(await outcome('--on-conflict', 'keep')).toEqual([
    `line 2: mine differs, and is kept: ${differences}`,
    '1 kept.',
  ])
  const { title, notes } = (await rig.json('show', 'mine')).data
  expect([title, notes]).toEqual(['Mine', 'New'])
  expect((await outcome('--on-conflict', 'replace'))[1]).toBe('1 replaced.')
  expect((await rig.json('show', 'mine')).data.title).toBe('Theirs')
  expect((await outcome())[1]).toBe('1 equal.')
})

test('what cannot come along is said of its line, also in JSON', async () => {
  const file = temporaryFile('url,slug,clicks,created\nhttps://example.com/lossy,lossy,52,yesterday\n')
  const { output } = await tern(['csv', '--file', file, '--json'])
  const lost = [
    '"yesterday" is no date that can be read, so it is left out.',
    'Its 52 clicks come along as a total, without days.',
  ]
  expect(
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { file, at: 'line 2', code: 'lossy', result: 'created', differences: {}, errors: {}, lost },
    {
      dry_run: false,
      import_id: expect.any(Number),
      created: 1,
      equal: 0,
      skipped: 0,
      kept: 0,
      replaced: 0,
      refused: 0,
    },
  ])
})

test('what is left out does not come along, and all links go to one folder', async () => {
  const file = temporaryFile(
    'url,slug,tags,clicks,archived\nhttps://example.com/,left-1,One,7,no\nhttps://example.com/,left-2,One,7,yes\n',
  )
  const choices = ['tags', 'clicks', 'archived'].flatMap((part) => ['--without', part])
  const { output } = await tern(['csv', '--file', file, ...choices, '--folder', 'Old links'])
  expect(output).toContain('line 3: left-2 is refused. The link is archived, and such links are left out.\n')
  expect(output).toContain('\n1 created, 1 refused.\n')
  expect((await rig.json('show', 'left-1')).data).toMatchObject({ tags: [], folder: 'Old links' })
})

test('only links that were created in some days come along', async () => {
  const rows = ['2023-12-31', '2024-01-01', '2024-12-31T23:59:59Z', '2024-12-31T23:00:00-02:00', '']
  const links = rows.map((created, at) => `https://example.com/,day-${at},${created}\n`)
  const file = temporaryFile(`url,slug,created\n${links.join('')}`)
  const days = ['--created-from', '2024-01-01', '--created-to', '2024-12-31']
  const { output } = await tern(['csv', '--file', file, ...days])
  expect(output.split('\n').filter((row) => row.startsWith('line '))).toEqual([
    'line 2: day-0 is refused. The link was created on 2023-12-31, and links before 2024-01-01 are left out.',
    'line 5: day-3 is refused. The link was created on 2025-01-01, and links after 2024-12-31 are left out.',
    'line 6: day-4 is refused. The source does not say when the link was created, so it is left out.',
  ])
  expect(output).toContain('\n2 created, 3 refused.\n')
})

test.each(['csv', 'ndjson'])(
  'our own export is recognized and equal to what it came from: %s',
  async (format) => {
    await rig.create(
      'exported',
      '--title',
      '=1+1',
      '--tag',
      'One',
      '--tag',
      'Two',
      '--notes',
      "'quoted'",
      '--folder',
      'F',
    )
    await rig.tern(['disable', 'exported'])
    const url = `http://127.0.0.1:${rig.folder.port}/api/export/links?format=${format}`
    const file = temporaryFile(
      await (await documentedFetch(url, { headers: { 'X-API-Key': rig.folder.key } })).text(),
    )
    const { output } = await tern([format === 'csv' ? 'csv' : 'tern', '--file', file])
    expect(output).toMatch(/^\d+ equal\.$/m)
  },
)

test.each<[why: string, words: string[], complaint: string]>([
  ['the source is unknown', ['myspace'], 'There is no source "myspace". There are: '],
  ['no file is named', ['csv'], 'Name the file to import with --file.'],
  [
    'the file is missing',
    ['csv', '--file', '/nowhere/links.csv'],
    '/nowhere/links.csv cannot be read: there is no such file or folder.',
  ],
  [
    'the choice is unknown',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--on-conflict', 'merge'],
    '--on-conflict must be one of',
  ],
  [
    'conflicts go nowhere',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--on-conflict', 'move'],
    '--on-conflict move needs --conflict-domain.',
  ],
  [
    'a domain for conflicts has none',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--conflict-domain', 'localhost'],
    '--conflict-domain is for --on-conflict move.',
  ],
  ...(
    [
      ['csv', 'csv/tabs.tsv', '--time-zone', 'UTC', 'CSV in utf-8, separated by tabs, with a row of names.'],
      [
        'yourls',
        'yourls/yourls-server-plus2-skip-tz-utc.sql',
        '--time-zone',
        'UTC',
        'a dump of YOURLS in SQL.',
      ],
      [
        'yourls',
        'yourls/yourls-server-plus2-skip-tz-utc.sql',
        '--delimiter',
        ';',
        'a dump of YOURLS in SQL.',
      ],
      ['kutt', 'kutt/kutt.sqlite', '--encoding', 'utf-8', 'the SQLite database of Kutt.'],
      ['kutt', 'kutt/links-page-1.json', '--column', 'code=1', 'links of Kutt in JSON.'],
    ] as const
  ).map(([source, file, option, value, kind]): [string, string[], string] => [
    `${option} means nothing for ${file}`,
    [source, '--file', fixture(file), option, value],
    kind,
  ]),
  [
    'nothing of that name can be left out',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--without', 'titles'],
    '--without must be one of clicks, tags, folders, archived.',
  ],
  [
    'a day is none',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--created-from', '2024-02-30'],
    '--created-from must be a day since 1970, such as 2026-11-20.',
  ],
  [
    'the last day is before the first',
    ['csv', '--file', fixture('csv/tabs.tsv'), '--created-from', '2024-02-02', '--created-to', '2024-02-01'],
    '--created-to may not be before --created-from.',
  ],
])('is refused if %s', async (_, words, complaint) => {
  const { exitCode, complaints } = await tern(words)
  expect([exitCode, complaints]).toEqual([1, expect.stringContaining(complaint)])
})

const tern = (words: string[]) =>
  runTern(['import', ...words], { BASE_URL: rig.origin, TERN_API_KEY: rig.folder.key })
