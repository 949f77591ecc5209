import { expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service-rig.ts'
import { DESTINATION, FIREFOX, makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
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
