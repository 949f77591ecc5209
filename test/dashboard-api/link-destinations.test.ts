import { beforeAll, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { TIMESTAMP } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
let browser: Browser

beforeAll(async () => {
  browser = (await rig.user()).browser
})

test('a link had one destination at first, and another after each change of it', async () => {
  const { created_at } = await make('moved')
  expect(await destinations('moved')).toEqual([
    { version: 1, since: created_at, original_url: urlOf('one'), clicks: 0 },
  ])
  await put('moved', { title: '"original_url":', original_url: urlOf('two') })
  await put('moved', { title: '{"original_url":' })
  await put('moved', { max_clicks: 9, original_url: urlOf('three') })
  await browser.succeed('POST', '/links/moved/toggle')
  const since = expect.stringMatching(TIMESTAMP)
  expect(await destinations('moved')).toEqual([
    { version: 4, since, original_url: urlOf('three'), clicks: 0 },
    { version: 2, since, original_url: urlOf('two'), clicks: 0 },
    { version: 1, since: created_at, original_url: urlOf('one'), clicks: 0 },
  ])
  await browser.succeed('POST', '/links/moved/versions/1/restore')
  expect((await destinations('moved'))[0]).toMatchObject({ version: 6, original_url: urlOf('one') })
})

test('clicks are said where all of an hour lies in one destination, and left out where they may be of either', async () => {
  await make('clicked')
  await rig.call('GET', '/clicked')
  await eventually(
    async () => (await destinations('clicked'))[0].clicks,
    (clicks) => clicks === 1,
  )
  // In the same hour.
  await put('clicked', { original_url: urlOf('two') })
  expect((await destinations('clicked')).map(({ clicks }: { clicks: number | null }) => clicks)).toEqual([
    null,
    null,
  ])
})

test('at most fifty are listed', async () => {
  await make('restless')
  for (let at = 0; at < 51; at++) await put('restless', { original_url: urlOf(String(at)) })
  const all = await destinations('restless')
  expect(all.map(({ version }: { version: number }) => version)).toEqual(
    Array.from({ length: 50 }, (_, at) => 52 - at),
  )
})

const urlOf = (name: string) => `https://example.com/${name}`
const make = (code: string) =>
  browser.succeed('POST', '/links', { original_url: urlOf('one'), custom_code: code })
const put = (code: string, input: object) => browser.succeed('PUT', `/links/${code}`, input)
const destinations = (code: string) => browser.succeed('GET', `/links/${code}/destinations`)
