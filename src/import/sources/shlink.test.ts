import { expect, test } from 'bun:test'
import { linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

test('URLs for devices of older versions are rules', async () => {
  const to = (device: string) => `https://example.com/${device}`
  const [some, all, none, empty] = await linksOf(
    'shlink',
    pageOf(
      { ios: null, android: to('android'), desktop: null },
      { ios: to('ios'), android: to('android'), desktop: to('desktop') },
      { ios: null, android: null, desktop: null },
      [],
    ),
  )
  const android = { when: { os: ['Android'] }, to: to('android') }
  expect(some!.others).toEqual({ rules: [android] })
  expect(all!.others).toEqual({
    rules: [
      { when: { os: ['iOS'] }, to: to('ios') },
      android,
      { when: { device: ['desktop'] }, to: to('desktop') },
    ],
  })
  expect([none, empty].map((link) => [link!.others, link!.lost])).toEqual([
    [{}, []],
    [{}, []],
  ])
})

const pageOf = (...urls: object[]) =>
  temporaryFile(
    JSON.stringify({
      shortUrls: {
        data: urls.map((deviceLongUrls, at) => ({
          shortCode: `code-${at}`,
          longUrl: 'https://example.com/',
          deviceLongUrls,
        })),
      },
    }),
  )
