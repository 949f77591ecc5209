import { expect, test } from 'bun:test'
import { useOwnDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, FIREFOX, makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const dashboard = useOwnDashboardRig()
const operator = useUser(dashboard)
const caller = useCaller(rig)

const visit = (code: string, userAgent: string, method = 'GET') =>
  rig.call(method, `/${code}`, { headers: { 'User-Agent': userAgent } })

test('a link preview gets the card and is no click, a browser is redirected', async () => {
  const { short_code, short_url } = await makeLink(rig, caller, {
    social_title: 'Bird & "wing"',
    social_image_url: 'https://example.com/bird.png',
  })
  const card = await visit(short_code, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(card.headers.get('x-robots-tag')).toBe('noindex')
  expect(card.text).toContain('<meta property="og:title" content="Bird &amp; &quot;wing&quot;" />')
  expect(card.text).toContain(`<meta property="og:url" content="${short_url}" />`)
  expect(card.text).not.toContain(DESTINATION)
  expect(await visit(short_code, 'Twitterbot/1.0', 'HEAD')).toMatchObject({ status: 200, text: '' })

  expect((await visit(short_code, FIREFOX)).headers.get('location')).toBe(DESTINATION)
  const { data } = (
    await eventually(
      () => rig.call('GET', `/api/analytics/links/${short_code}`, { key: caller.key }),
      ({ body }) => body.data.total_clicks > 0,
    )
  ).body
  expect([data.total_clicks, data.bot_clicks]).toEqual([1, 0])
})

test('a picture whose host the operator blocks later is left out, until it is blocked no more', async () => {
  await operator.browser.succeed('POST', '/links', {
    original_url: DESTINATION,
    custom_code: 'with-picture',
    social_title: 'A bird',
    social_image_url: 'https://pictures.example/bird.png',
  })
  const card = async () => {
    const headers = { 'User-Agent': 'Twitterbot/1.0' }
    const { status, text } = await dashboard.call('GET', '/with-picture', { headers })
    return [
      status,
      text.includes('A bird'),
      text.includes('pictures.example'),
      text.includes('summary_large_image'),
    ]
  }
  expect(await card()).toEqual([200, true, true, true])
  await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: 'pictures.example' })
  expect(await card()).toEqual([200, true, false, false])
  await operator.browser.succeed('DELETE', '/admin/blocked-hosts/pictures.example')
  expect(await card()).toEqual([200, true, true, true])
})
