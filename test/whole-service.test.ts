import { expect, test } from 'bun:test'
import { eventually } from './rigs/eventually.ts'
import { useCaller, useServiceRig } from './rigs/service/service-rig.ts'

const rig = useServiceRig()
const caller = useCaller(rig)

test('a new link redirects at once, and its clicks are in all analytics', async () => {
  const { key } = caller
  const made = await rig.call('POST', '/api/links', {
    key,
    body: { original_url: 'https://example.com/a?b#c' },
  })
  expect(made.status).toBe(201)
  const code: string = made.body.data.short_code
  for (let i = 0; i < 3; i++) {
    const opened = await rig.call('GET', `/${code}`, { headers: { 'User-Agent': 'curl/8.5.0' } })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, 'https://example.com/a?b#c'])
  }
  await rig.call('GET', `/${code}`, { headers: { 'User-Agent': 'Googlebot/2.1' } })
  await rig.call('HEAD', `/${code}`)
  await rig.call('GET', `/${code}`, { headers: { 'Sec-Purpose': 'prefetch' } })

  const read = () => rig.call('GET', `/api/analytics/links/${code}`, { key })
  const { data } = (await eventually(read, ({ body }) => body.data.total_clicks + body.data.bot_clicks === 4))
    .body
  const link = await rig.call('GET', `/api/links/${code}`, { key })
  const overview = await rig.call('GET', '/api/analytics/overview', { key })
  expect(data.total_clicks).toBe(3)
  expect(data.bot_clicks).toBe(1)
  expect(data.unique_visitors).toBe(1)
  expect(link.body.data.click_count).toBe(3)
  expect(overview.body.data.overview.total_clicks).toBe(3)
  expect(overview.body.data.overview.clicks_today).toBe(3)
  expect(overview.body.data.top_links[0].click_count).toBe(3)
})
