import { describe, expect, test } from 'bun:test'
import { fixture, itemsOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'
import { PROGRAMS } from '../../../test/rigs/import/all-truths.ts'
import type { SourceItem, SourceLink, SourceOptions } from '../source.ts'

const TRUTHS = PROGRAMS.flatMap(({ source, truths }) => truths.map((truth) => ({ source, ...truth })))

describe.each(TRUTHS)('$source: $files', ({ source, files, options, links, refused, lost }) => {
  test('has the links that the program had', async () => {
    const read = linksIn(await itemsOfAll(source, files, options))
    const fields = Object.keys(links[0]!) as (keyof SourceLink)[]
    expect(read.map((link) => plain(link, fields)).sort(byCode)).toEqual(
      links.map((link) => plain(link, fields)).sort(byCode),
    )
  })

  test('says of each link what is lost, and why others are refused', async () => {
    const items = await itemsOfAll(source, files, options)
    expect(
      Object.fromEntries(items.flatMap((item) => ('refused' in item ? [[item.at, item.refused]] : []))),
    ).toEqual(refused ?? {})
    expect(
      Object.fromEntries(
        linksIn(items).flatMap(({ domain, code, lost: sentences = [] }) =>
          sentences.length === 0 ? [] : [[`${domain ?? ''}/${code}`, sentences]],
        ),
      ),
    ).toEqual(lost)
  })
})

test('a bare list of links is read as the page that has it', async () => {
  const file = temporaryFile('[{"slug":"one","url":"https://a.example"}]')
  expect(linksIn(await itemsOf('sink', file))).toMatchObject([
    { code: 'one', destination: 'https://a.example' },
  ])
})

const itemsOfAll = async (
  source: string,
  files: readonly string[],
  options: Partial<SourceOptions> = {},
): Promise<SourceItem[]> =>
  (await Promise.all(files.map((file) => itemsOf(source, fixture(file), options)))).flat()

const linksIn = (items: readonly SourceItem[]): SourceLink[] =>
  items.flatMap((item) => ('link' in item ? [item.link] : []))

const byCode = (a: SourceLink, b: SourceLink): number =>
  `${a.domain}/${a.code}` < `${b.domain}/${b.code}` ? -1 : 1

const TIMES = ['createdAt', 'startsAt', 'expiresAt'] as const

/** The fields in one form: times in milliseconds, and what is empty, false or not there is absent. */
function plain(link: SourceLink, fields: readonly (keyof SourceLink)[]): SourceLink {
  const entries = fields.map((field) => [field, link[field]] as const)
  const times = TIMES.flatMap((field) => (link[field] ? [[field, new Date(link[field]).toISOString()]] : []))
  return Object.fromEntries([...entries, ...times].filter(([, value]) => !isEmpty(value)))
}

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
