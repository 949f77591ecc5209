import { expect, test } from 'bun:test'
import { useDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useDashboardRig()

test('the UTM values of the newest links are listed, the most used first, and those of nobody else', async () => {
  const { browser } = await rig.user()
  const none = { source: [], medium: [], campaign: [], term: [], content: [] }
  expect(await browser.succeed('GET', '/utm-values')).toEqual(none)
  for (const query of [
    '?utm_source=Newsletter&utm_medium=email',
    '?a=1&utm_source=news%20letter&utm_term=caf%C3%A9#top?utm_source=fragment',
    '?utm_source=news+letter&xutm_content=no&utm_content=',
    '?utm_source=&utm_campaign=%E5%86%AC&utm_id=7',
    `?utm_source=${'x'.repeat(201)}`,
    `?long=${'x'.repeat(2_000)}&utm_source=long`,
    '/utm_source=path',
  ])
    await browser.succeed('POST', '/links', { original_url: `https://example.com/${query}` })
  expect(await browser.succeed('GET', '/utm-values')).toEqual({
    source: ['news letter', 'Newsletter'],
    medium: ['email'],
    campaign: ['冬'],
    term: ['café'],
    content: [],
  })
  const stranger = await rig.user()
  expect(await stranger.browser.succeed('GET', '/utm-values')).toEqual(none)
})

test('a suggested code is free, and another one each time', async () => {
  const { browser } = await rig.user()
  const [first, second] = [await browser.succeed('POST', '/codes'), await browser.succeed('POST', '/codes')]
  expect(first.code).toMatch(/^[A-Za-z0-9]{7}$/)
  expect(second.code).not.toBe(first.code)
  expect(await browser.succeed('GET', `/codes/${first.code}`)).toEqual({
    is_free: true,
    reasons: [],
    trashed_link: null,
  })
})
