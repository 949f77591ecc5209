import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  invalid,
  makeLink,
  refusal,
  statusAndBody,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)
const many = useCaller(rig)

beforeAll(makeLinks)

describe('an export of links', () => {
  test('has the links of the list and no others, the newest first', async () => {
    const hyperlink = '=HYPERLINK("https://evil.example";"x")'
    expect(await titles('')).toEqual(['dog', '', hyperlink, 'Anteater'])
    expect(await titles('archived=include')).toEqual(['dog', 'Cat', '', hyperlink, 'Anteater'])
    expect(await titles('archived=only')).toEqual(['Cat'])
    expect(await titles('status=expired&status=disabled')).toEqual(['dog', ''])
    expect(await titles('tag=ADS&folder=zoo')).toEqual(['Anteater'])
    expect(await titles('tag=no+such+tag')).toEqual([])
    expect(await titles('search=ant+EATER')).toEqual(['Anteater'])
    expect(await titles(`search=${encodeURIComponent(`${rig.config.baseUrl}/ant-two`)}`)).toEqual([
      'Anteater',
    ])
    expect(await titles('search=nothing+of+this')).toEqual([])
    expect(await titles('created_to=2020-01-01T00:00:00Z')).toEqual([])
  })

  test('has chosen links by ID, and none of a stranger', async () => {
    const all = await lines('archived=include')
    const theirs = await lines('', stranger)
    const [dog, cat] = all.map(({ id }) => id)
    expect(await titles(`id=${cat}&id=${dog}&id=${theirs[0].id}&archived=include`)).toEqual(['dog', 'Cat'])
    expect(await titles(`id=${cat}&id=${dog}&status=expired`)).toEqual(['dog'])
    expect((await table(`id=${dog}`)).rows.map(({ title }) => title)).toEqual(['dog'])
    const tooMany = Array.from({ length: 101 }, (_, at) => `id=${at + 1}`).join('&')
    expect(statusAndBody(await exported(tooMany))).toEqual({
      status: 422,
      body: invalid({ id: ['The id may not be given more than 100 times.'] }),
    })
  })

  test('has each link as the list shows it, and its last click', async () => {
    const { data } = (await rig.call('GET', '/api/links?archived=include', caller)).body
    const links = data.map((link: object) => ({ ...link, last_clicked_at: null, imported_clicks: null }))
    expect(await lines('archived=include')).toEqual(links)
    await rig.call('GET', '/ant-eater', { headers: { 'User-Agent': FIREFOX } })
    const clicked = () => lines('search=anteater')
    const [link] = await eventually(clicked, ([{ click_count: clicks }]) => clicks === 1)
    expect(link.last_clicked_at).toMatch(TIMESTAMP)
  })

  test('is a file with a name', async () => {
    for (const [format, type] of [
      ['csv', 'text/csv; charset=utf-8'],
      ['ndjson', 'application/x-ndjson; charset=utf-8'],
    ]) {
      const { headers } = await exported(`format=${format}`)
      expect(headers.get('content-type')).toBe(type!)
      const name = headers.get('content-disposition')!
      expect(name).toMatch(/^attachment; filename="tern-links-\d{4}-\d\d-\d\d\.(csv|ndjson)"$/)
      expect(name).toContain(`.${format}"`)
    }
  })

  test('as CSV has a header row even without links, and every field of a link', async () => {
    const { heads, rows } = await table('tag=none')
    expect(rows).toEqual([])
    const [link] = await lines('search=anteater')
    const { utm: _, ...fields } = link
    const utm = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`)
    expect(heads).toEqual([...Object.keys(fields), ...utm])
    const { rows: all } = await table('archived=include')
    const byTitle = Object.fromEntries(all.map((row) => [row.title, row]))
    expect(byTitle.Anteater).toMatchObject({
      short_code: link.short_code,
      tags: 'ads, Winter & Snow',
      folder: 'Zoo',
      aliases: 'ant-eater ant-two',
      status: 'active',
      is_active: 'true',
      rules: '',
      max_clicks: '',
    })
    expect(byTitle['']).toMatchObject({ is_active: 'false', utm_source: 'news', utm_medium: '' })
    expect(JSON.parse(byTitle.Cat!.rules!)).toHaveLength(1)
  })

  test('as CSV has nothing that a spreadsheet would run', async () => {
    const { rows } = await table('tag=@ads')
    expect(rows).toMatchObject([
      { title: `'=HYPERLINK("https://evil.example";"x")`, notes: `'-1+1\nnext, "line"`, tags: "'@ads" },
    ])
    expect((await table('status=disabled')).rows).toMatchObject([{ short_code: "'-dash-first" }])
  })

  test.each<[string, Record<string, string[]>]>([
    ['format=xls', { format: ['The format must be one of csv, ndjson.'] }],
    [
      'format=xls&archived=x',
      {
        format: ['The format must be one of csv, ndjson.'],
        archived: ['The archived must be one of exclude, only, include.'],
      },
    ],
  ])('is refused for what it does not know: %s', async (query, errors) => {
    expect(statusAndBody(await exported(query))).toEqual({ status: 422, body: invalid(errors) })
  })
})

describe('an export of many links', () => {
  // More than connections take by themselves, so that nobody is done before somebody reads.
  const COUNT = 3_000

  beforeAll(async () => {
    for (let from = 0; from < COUNT; from += 100) {
      const links = Array.from({ length: 100 }, (_, i) => ({
        url: `${DESTINATION}/${from + i}/${'x'.repeat(7_900)}`,
      }))
      await rig.call('POST', '/api/bulk-shorten', { key: many.key, body: { links } })
    }
  })

  const open = () =>
    fetch(`${rig.url}/api/export/links?format=ndjson`, { headers: { 'X-API-Key': many.key } })

  test('has each of those that were there when it began once, and none that came later', async () => {
    const response = await open()
    const reader = response.body!.pipeThrough(new TextDecoderStream() as any).getReader()
    let text = (await reader.read()).value as string
    await makeLink(rig, many, { title: 'Late' })
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
    const all = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const numbers = all.map(({ original_url: url }) => Number(url.split('/').at(-2)))
    expect(numbers).toEqual(Array.from({ length: COUNT }, (_, i) => COUNT - 1 - i))
  })

  test('is one of two at once, and a place is free again when its client leaves', async () => {
    for (let i = 0; i < 3; i++)
      expect((await rig.call('HEAD', '/api/export/links', { key: many.key })).status).toBe(200)
    const leaving = new AbortController()
    const stay = (signal: AbortSignal) =>
      fetch(`${rig.url}/api/export/links`, { headers: { 'X-API-Key': many.key }, signal })
    // At the same moment: an export that nobody reads may still end, if connections take all of it.
    const all = await Promise.all(Array.from({ length: 6 }, () => stay(leaving.signal)))
    const [two, refused] = [200, 429].map((wanted) => all.filter(({ status }) => status === wanted))
    expect(two!.length).toBeGreaterThanOrEqual(2)
    expect(await refused![0]!.json()).toEqual(
      refusal('too_many_streams', 'Too many exports of links are in progress. Try again when one is done.'),
    )
    expect((await exported('', stranger)).status).toBe(200)
    leaving.abort()
    await eventually(
      () => exported('', many),
      ({ status }) => status === 200,
    )
  })
})

async function makeLinks(): Promise<void> {
  const links = [
    { title: 'Anteater', tags: ['Winter & Snow', 'ads'], folder: 'Zoo', aliases: ['ant-eater', 'ant-two'] },
    { title: '=HYPERLINK("https://evil.example";"x")', notes: '-1+1\nnext, "line"', tags: ['@ads'] },
    {
      title: '',
      custom_code: '-dash-first',
      is_active: false,
      original_url: `${DESTINATION}?utm_source=news`,
    },
    { title: 'Cat', archived: true, rules: [{ when: { country: ['DE'] }, to: `${DESTINATION}/de` }] },
    { title: 'dog', expires_at: '2020-01-01T00:00:00Z' },
  ]
  for (const link of links) await makeLink(rig, caller, link)
  await makeLink(rig, stranger, { title: 'Stranger' })
}

const exported = (query: string, { key }: TestCaller = caller) =>
  rig.call('GET', `/api/export/links?${query}`, { key })

async function lines(query: string, who?: TestCaller): Promise<any[]> {
  const { text } = await exported(`format=ndjson&${query}`, who)
  const all = text.split('\n')
  expect(all.pop()).toBe('')
  return all.map((line) => JSON.parse(line))
}

async function table(query: string): Promise<{ heads: string[]; rows: Record<string, string>[] }> {
  const { text } = await exported(`format=csv&${query}`)
  const [head, ...rows] = records(text)
  return {
    heads: head!,
    rows: rows.map((fields) => Object.fromEntries(fields.map((value, at) => [head![at]!, value]))),
  }
}

/** RFC 4180: quoted fields with their doubled quotes, and others. */
const records = (csv: string): string[][] =>
  csv
    .match(/(?:"(?:[^"]|"")*"|[^"\r])*\r\n/g)!
    .map((record) =>
      [...record.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    )

const titles = async (query: string) => (await lines(query)).map(({ title }) => title)
