import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { NO_CHOICES, type UploadedPart, useJobRig } from '../rigs/import/job-rig.ts'
import { invalid, refusal, TIMESTAMP, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)
const jobs = useJobRig(rig, caller)

describe('a draft', () => {
  test('has what it was begun with, is listed, edited and deleted', async () => {
    const job = await jobs.begin({ source: 'csv', domain: ' go.example ' })
    const at = expect.stringMatching(TIMESTAMP)
    expect(job).toEqual({
      ...EMPTY,
      id: job.id,
      source: 'csv',
      title: 'CSV file',
      created_at: at,
      expires_at: at,
      domain: 'go.example',
    })
    const options = {
      delimiter: ';',
      has_header: true,
      columns: { destination: 'Target', tags: null, code: 2 },
    }
    expect(await jobs.change(job.id, { domain: null, options })).toEqual({
      ...job,
      expires_at: at,
      domain: null,
      options,
    })
    expect(await jobs.change(job.id, {})).toMatchObject({ domain: null, options })
    expect(await jobs.read(job.id)).toMatchObject({ options })
    expect((await jobs.list()).map(({ id }) => id)).toContain(job.id)
    expect(await jobs.ask('DELETE', `/${job.id}`)).toEqual({ success: true, message: 'Import deleted.' })
    expect(await jobs.ask('GET', `/${job.id}`)).toEqual(NOT_FOUND)
    expect((await jobs.list()).map(({ id }) => id)).not.toContain(job.id)
  })

  test('of another workspace does not exist', async () => {
    const { id } = await jobs.begin({ source: 'csv' })
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/files?name=a.csv&offset=0', 'url'],
      ['GET', '/columns', undefined],
    ] as const)
      expect(await jobs.ask(method, `/${id}${path}`, body, stranger)).toEqual(NOT_FOUND)
    expect((await jobs.ask('GET', '', undefined, stranger)).data).toEqual([])
    await jobs.ask('DELETE', `/${id}`)
  })

  test.each<[what: string, body: object, errors: Record<string, string[]>]>([
    [
      'an unknown source',
      { source: 'nowhere' },
      { source: [expect.stringContaining('must be one of bitly, dub')] },
    ],
    [
      'a URL of files',
      { source: 'csv', url: 'https://a.example' },
      { url: ['The source is read from files only.'] },
    ],
    [
      'a URL without a key',
      { source: 'kutt', url: 'https://a.example' },
      { key: ['Send a key of the API with its URL.'] },
    ],
    ['a key without a URL', { source: 'kutt', key: 'a' }, { url: ['The url of Kutt is required.'] }],
    [
      'a key in the URL',
      { source: 'kutt', key: 'a', url: 'https://a.example/?key=b' },
      { url: ['The url may have no query: the key is given by itself.'] },
    ],
    [
      'what is no key',
      { source: 'dub', key: 'a b' },
      { key: ['The key must be up to 1,024 letters, digits and signs of ASCII, without spaces.'] },
    ],
  ])('with %s is refused', async (_, body, errors) => {
    const answer = await jobs.ask('POST', '', body)
    expect(answer).toMatchObject({ code: 'validation_failed', errors })
  })

  test('is one of five at most', async () => {
    const other = await rig.makeCaller()
    for (let count = 0; count < 5; count++) await jobs.begin({ source: 'csv' }, other)
    expect(await jobs.ask('POST', '', { source: 'csv' }, other)).toEqual(
      refusal(
        'limit_reached',
        'A workspace has at most 5 imports that are not done. Delete one of them first.',
      ),
    )
  })

  test('never shows the key of an API, which is encrypted in the store', async () => {
    const key = 'secret-key-of-dub'
    const job = await jobs.begin({ source: 'dub', key })
    expect(job).toMatchObject({ title: 'Dub', url: 'https://api.dub.co' })
    const row = await rig.store.db
      .selectFrom('import_jobs')
      .selectAll()
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    expect(row.source_key).toBeString()
    expect(JSON.stringify([job, row])).not.toContain(key)
    await jobs.ask('DELETE', `/${job.id}`)
  })
})

describe('a file', () => {
  test('is uploaded in parts, of which one that is sent twice counts once', async () => {
    const { id } = await jobs.begin({ source: 'csv' })
    await jobs.upload(id, { name: 'a.csv', offset: 0, text: 'url,slug\n' })
    const part = { name: 'a.csv', offset: 9, text: 'https://example.com/,a\n' }
    expect((await jobs.upload(id, part)).data.files).toEqual([{ name: 'a.csv', bytes: 32, size: null }])
    expect((await jobs.upload(id, part)).data.files).toEqual([{ name: 'a.csv', bytes: 32, size: null }])
    const { data } = await jobs.upload(id, { name: 'b.csv', offset: 0, text: 'url\n' })
    expect(data.files).toEqual([
      { name: 'a.csv', bytes: 32, size: null },
      { name: 'b.csv', bytes: 4, size: null },
    ])
    await jobs.ask('DELETE', `/${id}`)
  })

  test('whose size was announced is known to be interrupted until all of it is there', async () => {
    const { id } = await jobs.begin({ source: 'csv' })
    const files = async () => (await jobs.read(id)).files
    await jobs.upload(id, { name: 'a.csv', offset: 0, size: 9, text: 'url,' })
    expect(await files()).toEqual([{ name: 'a.csv', bytes: 4, size: 9 }])
    await jobs.upload(id, { name: 'a.csv', offset: 4, text: 'slug\n' })
    expect(await files()).toEqual([{ name: 'a.csv', bytes: 9, size: 9 }])
    await jobs.ask('DELETE', `/${id}`)
  })

  test.each<[what: string, part: UploadedPart, errors: Record<string, string[]>]>([
    [
      'behind the end that was announced',
      { name: 'a.csv', offset: 5, size: 6, text: 'xy' },
      { size: ['The file may not have more than the 6 bytes that were announced.'] },
    ],
    [
      'with a gap',
      { name: 'a.csv', offset: 6, text: 'x' },
      { offset: ['The next part of the file begins at byte 5. Send the parts in their order.'] },
    ],
    [
      'that is longer than what is there',
      { name: 'a.csv', offset: 0, text: 'longer' },
      { offset: ['The next part of the file begins at byte 5. Send the parts in their order.'] },
    ],
    ['without bytes', { name: 'a.csv', offset: 5, text: '' }, { body: ['The part is empty.'] }],
    [
      'that is too large',
      { name: 'a.csv', offset: 5, text: 'x'.repeat(900_001) },
      { body: ['A part may not have more than 900000 bytes.'] },
    ],
    [
      'of an archive',
      { name: 'b.zip', offset: 0, text: 'PK\x03\x04' },
      {
        body: [
          'b.zip is a ZIP archive, or a workbook of a spreadsheet. Unpack it, or save the sheet as CSV.',
        ],
      },
    ],
    [
      'with a path as its name',
      { name: '../a', offset: 0, text: 'x' },
      { name: ['The name may not contain slashes or control characters.'] },
    ],
  ])('part %s is refused', async (_, part, errors) => {
    const { id } = await jobs.begin({ source: 'csv' })
    await jobs.upload(id, { name: 'a.csv', offset: 0, text: 'url,a' })
    expect(await jobs.upload(id, part)).toEqual(invalid(errors))
    expect((await jobs.read(id)).files).toEqual([{ name: 'a.csv', bytes: 5, size: null }])
    await jobs.ask('DELETE', `/${id}`)
  })

  test('is not for an import that reads an API', async () => {
    const { id } = await jobs.begin({ source: 'dub', key: 'a' })
    expect(await jobs.upload(id, { name: 'a.csv', offset: 0, text: 'x' })).toEqual(
      refusal('import_job_state', 'The import reads an API, so it has no files.'),
    )
    await jobs.ask('DELETE', `/${id}`)
  })
})

describe('the columns', () => {
  test('are recognized, and named otherwise', async () => {
    const { id } = await jobs.begin({ source: 'csv' })
    const text =
      'Target;Short;Made;Labels;Hits\n' +
      'https://example.com/1;冬セール;25.12.2025;a,b;4\n' +
      'no url;winter;1.1.2026;;many\n'
    await jobs.upload(id, { name: 'a.csv', offset: 0, text })
    const { data } = await jobs.ask('GET', `/${id}/columns`)
    expect(data).toMatchObject({ delimiter: ';', encoding: 'utf-8', has_header: true })
    expect(data.kinds).toContainEqual({ name: 'max-clicks', title: 'Click limit' })
    expect(data.columns).toEqual([
      column(1, 'Target', ['https://example.com/1', 'no url'], {
        kind: 'destination',
        problem: expect.stringMatching(/^"no url" must /),
      }),
      column(2, 'Short', ['冬セール', 'winter'], { kind: 'short-url' }),
      column(3, 'Made', ['25.12.2025', '1.1.2026']),
      column(4, 'Labels', ['a,b'], { kind: 'tags' }),
      column(5, 'Hits', ['4', 'many'], { kind: 'clicks', problem: '"many" is no whole number.' }),
    ])
    await jobs.change(id, {
      options: { columns: { code: 'Short', created: 3, 'short-url': null, tags: null } },
    })
    const { columns } = (await jobs.ask('GET', `/${id}/columns`)).data
    expect(columns.slice(1, 4)).toEqual([
      column(2, 'Short', ['冬セール', 'winter'], { kind: 'code', note: '1 old code is kept as it is.' }),
      column(3, 'Made', ['25.12.2025', '1.1.2026'], {
        kind: 'created',
        note: 'The first is read as 2025-12-25 00:00 UTC.',
      }),
      column(4, 'Labels', ['a,b']),
    ])
    await jobs.ask('DELETE', `/${id}`)
  })

  test.each([
    [
      'what is no table',
      '{"links": []}',
      'The file is no table with columns to choose. The check says what is in it.',
    ],
    ['what is no text', 'url\n\0', 'a.csv is not a text file: there is a NUL byte in line 2.'],
  ])('of %s are refused', async (_, text, sentence) => {
    const { id } = await jobs.begin({ source: 'csv' })
    await jobs.upload(id, { name: 'a.csv', offset: 0, text })
    expect(await jobs.ask('GET', `/${id}/columns`)).toEqual(invalid({ files: [sentence] }))
    await jobs.ask('DELETE', `/${id}`)
  })
})

const NOT_FOUND = refusal('import_not_found', 'Import not found.')

const EMPTY = {
  state: 'draft' as const,
  url: null,
  options: {},
  files: [],
  description: [],
  counts: null,
  choices: NO_CHOICES,
  old_codes: 0,
  progress: { links: 0, of: null, since: null },
  results: null,
  waiting_until: null,
  message: null,
  import_id: null,
}

const column = (number: number, name: string, values: string[], found: object = {}) => ({
  number,
  name,
  values,
  kind: null,
  note: null,
  problem: null,
  ...found,
})
