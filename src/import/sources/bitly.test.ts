import { expect, test } from 'bun:test'
import { itemsOf, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

const pageOf = (fields: object) =>
  temporaryFile(
    JSON.stringify({ links: [{ link: 'https://go.example/one', long_url: 'https://a.example', ...fields }] }),
  )

test('a bitlink that ends does so here', async () => {
  const [link] = await linksOf('bitly', pageOf({ expiration_at: '2027-01-28T14:30:00+0000' }))
  expect(link).toMatchObject({ expiresAt: '2027-01-28T14:30:00.000Z', lost: [] })
})

test('routing by country, device and system is a rule, and other routing is named', async () => {
  const [link] = await linksOf(
    'bitly',
    pageOf({
      dynamic_routing: [
        { long_url: 'https://b.example', country_match: ['DE', 'AT'], os_match: ['ios'], region_match: [] },
        { long_url: 'https://c.example', device_match: ['mobile'], country_exclude: ['US'] },
        { long_url: 'https://d.example', device_match: ['tablet'] },
      ],
    }),
  )
  expect(link).toMatchObject({
    others: {
      rules: [
        { when: { country: ['DE', 'AT'], os: ['iOS'] }, to: 'https://b.example' },
        { when: { device: ['tablet'] }, to: 'https://d.example' },
      ],
    },
    lost: ['One of its routing rules cannot be a rule here, so it is left out.'],
  })
})

const HEADER = 'Date,Short Link,Destination,Clicks\n'

test('days are read as the other days of the file prove, and a row that cannot be counted is refused', async () => {
  const file = temporaryFile(
    `${HEADER}04/05/2026,go.example/one,https://a.example,"1,065"\n12/31/2025,go.example/one,https://a.example,2\n` +
      'soon,go.example/one,https://a.example,2\n1/1/2026,go.example/one,https://a.example,some\n1/1/2026,,https://a.example,3\n',
  )
  expect(await itemsOf('bitly', file)).toMatchObject([
    { at: 'line 4', refused: '"soon" is no date that can be read, so it is left out.' },
    { at: 'line 5', refused: '"some" is no number of clicks.' },
    { at: 'line 6', refused: '"" is no short URL.' },
    {
      at: 'line 2',
      link: {
        code: 'one',
        clicks: 1067,
        clicksBy: {
          days: [
            { day: '2026-04-05', clicks: 1065 },
            { day: '2025-12-31', clicks: 2 },
          ],
        },
      },
    },
  ])
})

test('a day that may be another one is refused', async () => {
  const file = temporaryFile(`${HEADER}04/05/2026,go.example/one,https://a.example,3\n`)
  expect(await itemsOf('bitly', file)).toEqual([
    {
      at: 'line 2',
      refused: 'The date "04/05/2026" may have its day or its month first, so it is left out.',
    },
  ])
})
