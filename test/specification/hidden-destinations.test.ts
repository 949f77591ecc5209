import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { FIREFOX, makeLink, useContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const STATES: [what: string, fields: object][] = [
  ['has not started', { starts_at: '2099-01-01T00:00:00Z' }],
  ['has not started and is disabled', { starts_at: '2099-01-01T00:00:00Z', is_active: false }],
  ['has expired', {}],
  ['has a limit', { max_clicks: 5 }],
  ['has a password', { password: 'Long-Secret-of-the-owner' }],
]

describe.each(STATES)('of a link that %s', (what, fields) => {
  test('no public page and no HEAD says the destination or the title', async () => {
    const code = await hidden()
    for (const method of ['GET', 'HEAD'])
      for (const path of PATHS(code))
        for (const Accept of ['text/html', '*/*'])
          await expectNothing(path, { method, headers: { Accept, 'User-Agent': FIREFOX } })
    // Only a visitor of a link with a limit is led there.
    await expectNothing(`/${code}`, { method: 'HEAD' })
    for (const agent of ['WhatsApp/2.23', 'Googlebot/2.1', ''])
      await expectNothing(`/${code}`, { headers: { 'User-Agent': agent, 'Sec-Purpose': 'prefetch' } })
    const info = await rig.call('GET', `/api/info/${code}`)
    expect(info.body.data).toMatchObject({ short_code: code, original_url: null, title: '' })
  })

  test('the headers of the facts are the same for every destination', async () => {
    const code = await hidden()
    const facts = async () => {
      const { status, headers } = await documentedFetch(`${rig.url}/api/info/${code}`, { method: 'HEAD' })
      return [status, headers.get('etag'), headers.get('last-modified'), headers.get('content-length')]
    }
    const before = await facts()
    const body = { original_url: 'https://other.example.org/much/longer/than/before', title: 'Another' }
    const edit = await rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
    expect([edit.status, before[0]]).toEqual([200, 200])
    expect(await facts()).toEqual(before)
  })

  async function hidden(): Promise<string> {
    const { id, short_code: code } = await makeLink(rig, caller, { ...SECRET, ...fields })
    if (what === 'has expired')
      await rig.store.db
        .updateTable('links')
        .set({ expires_at: systemClock.nowUs() - 1 })
        .where('id', '=', id)
        .execute()
    return code
  }

  async function expectNothing(path: string, init: RequestInit): Promise<void> {
    const response = await documentedFetch(rig.url + path, { ...init })
    const said = JSON.stringify([...response.headers]) + (await response.text())
    for (const text of ['secret.example.org', 'embargo', 'layoffs']) expect(said).not.toContain(text)
  }
})

const SECRET = { original_url: 'https://secret.example.org/embargo', title: 'Q3 layoffs: list of names' }

const PATHS = (code: string) => [
  `/${code}+`,
  `/api/info/${code}`,
  `/qr/${code}`,
  `/qr/${code}?format=png`,
  `/oembed?url=${encodeURIComponent(`${rig.config.baseUrl}/${code}`)}`,
  '/robots.txt',
  '/sitemap.xml',
  '/api/stats/public',
]
