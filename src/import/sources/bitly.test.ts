import { expect, test } from 'bun:test'
import { linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

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
