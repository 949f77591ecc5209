import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { makeLink, open, useOwnContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useOwnContractRig({ DESTINATION_SCHEMES: 'http,https,mailto,tel,fb' })
const caller = useCaller(rig)

const create = (body: Record<string, unknown>) => rig.call('POST', '/api/links', { key: caller.key, body })
const locationOf = async (code: string) => (await open(rig, code)).headers.get('location')

describe('with schemes that the operator has added', () => {
  test.each(['mailto:ada@example.com?subject=Hi', 'tel:+4930123456', 'fb://profile/1'])(
    'a link may lead to %s, and passes no query on',
    async (original_url) => {
      const utm = { source: 'mail' }
      const { short_code } = await makeLink(rig, caller, { original_url, forward_query: true, utm })
      expect(await locationOf(short_code)).toBe(original_url)
      expect(await locationOf(`${short_code}?body=x&ref=y`)).toBe(original_url)
      const page = await (await documentedFetch(`${rig.url}/${short_code}+`)).text()
      expect(page.replaceAll(/<\/?b>/g, '')).toContain(original_url.replaceAll('&', '&amp;'))
      expect(page).toContain('Continue')
    },
  )

  test('rules and fallbacks lead there too', async () => {
    const { short_code } = await makeLink(rig, caller, {
      rules: [{ when: { query: { app: '1' } }, to: 'fb://profile/2' }],
      expires_at: '2020-01-01T00:00:00Z',
      fallback_url: 'tel:+49301',
    })
    expect(await locationOf(short_code)).toBe('tel:+49301')
    await rig.call('PUT', `/api/links/${short_code}`, { key: caller.key, body: { expires_at: null } })
    expect(await locationOf(`${short_code}?app=1`)).toBe('fb://profile/2')
  })

  test('lists of links by status read them', async () => {
    const { body } = await rig.call('GET', '/api/links?status=active', { key: caller.key })
    expect(body.data.length).toBeGreaterThan(0)
  })

  test('others stay refused, and pictures are pictures of the web', async () => {
    for (const original_url of ['javascript:alert(1)', 'viber://pa', 'data:text/html,x'])
      expect((await create({ original_url })).body.error_codes).toEqual({ original_url: ['url_invalid'] })
    const picture = await create({ original_url: 'https://example.com/', social_image_url: 'fb://x/y' })
    expect(picture.body.errors).toHaveProperty('social_image_url')
  })
})

test('a URL without a scheme is refused with the one that was probably meant', async () => {
  const { status, body } = await create({ original_url: 'example.com/page' })
  const sentence =
    'The original url must start with https:// or another scheme. Did you mean https://example.com/page?'
  expect([status, body.message, body.error_codes]).toEqual([
    422,
    sentence,
    { original_url: ['scheme_missing'] },
  ])
})

test('a destination is stored without what was pasted along', async () => {
  const { body } = await create({
    original_url: ' https://example.com/my file.pdf\u200b\r\n',
    utm: { source: 'a' },
  })
  const original_url = 'https://example.com/my%20file.pdf?utm_source=a'
  expect(body.data).toMatchObject({ original_url })
  expect(await locationOf(body.data.short_code)).toBe(original_url)
})
