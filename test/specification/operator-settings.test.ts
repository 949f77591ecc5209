import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, open, refusal, statusAndBody, useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig({
  BASE_URL: 'https://go.example.com',
  ALLOW_PRIVATE_DESTINATIONS: '1',
  PUBLIC_STATS: '0',
})
const caller = useCaller(rig)

describe('with private destinations allowed', () => {
  const PRIVATE = ['http://10.0.0.1/', 'http://wiki/', 'http://[fd00::1]/', 'http://localhost:8080/']
  test.each(PRIVATE)('a link may lead to %s', async (original_url) => {
    const { short_code } = await makeLink(rig, caller, { original_url })
    expect((await open(rig, short_code)).headers.get('location')).toBe(original_url)
  })

  test('a link may still not lead to the service itself', async () => {
    for (const host of ['go.example.com', 'GO.example.com.', 'go.example.com:443']) {
      const body = { original_url: `https://${host}/abc` }
      const answer = await rig.call('POST', '/api/links', { key: caller.key, body })
      expect(statusAndBody(answer)).toEqual({
        status: 422,
        body: invalid({ original_url: ['The original url may not point to this service.'] }),
      })
    }
  })
})

describe('with public statistics disabled', () => {
  test('they are not found, but health and link information are', async () => {
    expect(statusAndBody(await rig.call('GET', '/api/stats/public'))).toEqual({
      status: 404,
      body: refusal('public_stats_disabled', 'Public statistics are disabled.'),
    })
    const { short_code } = await makeLink(rig, caller)
    for (const path of ['/api/health', `/api/info/${short_code}`])
      expect((await rig.call('GET', path)).status).toBe(200)
  })
})
