import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type DomainWorld, OWN_IP, startDomainWorld } from '../rigs/service/domain-world.ts'
import { startContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

describe.each([
  ['serve', [302, 'https://example.com/ours']],
  ['refuse', [404, null]],
] as const)('with UNKNOWN_HOSTS=%s', (unknownHosts, ours) => {
  let world: DomainWorld
  let rig: Awaited<ReturnType<typeof startContractRig>>
  beforeAll(startWorld)
  afterAll(stopWorld)

  test('a domain is to visitors what every unknown host is until it is verified, and is refused once it is removed', async () => {
    const { key } = await rig.makeCaller()
    const ask = (method: string, path: string, body?: object) =>
      rig.call(method, path, { key, headers: { Host: 'tern.example' }, ...(body && { body }) })
    const visit = async (path: string) => {
      const init = { headers: { Host: HOST }, redirect: 'manual' } as const
      const { status, headers } = await documentedFetch(rig.url + path, init)
      return [status, headers.get('location')]
    }
    const shorten = (code: string, domain: string) =>
      ask('POST', '/api/links', { original_url: `https://example.com/${code}`, custom_code: code, domain })
    const { body } = await ask('POST', '/api/domains', { host: HOST })
    const { txt_name, value } = body.data.verification
    await shorten('ours', 'tern.example')
    // New links cannot be made there.
    expect((await shorten('theirs', HOST)).status).toBe(422)
    expect(await visit('/ours')).toEqual([...ours])
    expect((await visit('/theirs'))[0]).toBe(404)

    world.txt.set(txt_name, value)
    world.addresses.set(HOST, OWN_IP)
    await ask('POST', `/api/domains/${HOST}/verify`)
    await shorten('theirs', HOST)
    expect(await visit('/ours')).toEqual([404, null])
    expect(await visit('/theirs')).toEqual([302, 'https://example.com/theirs'])

    // Its short URLs may be printed, so no link of others answers there.
    await ask('DELETE', `/api/domains/${HOST}`)
    for (const path of ['/theirs', '/ours', '/', '/dashboard/'])
      expect(await visit(path)).toEqual([404, null])

    // Added again: its links are there, but wait for the proof.
    const again = await ask('POST', '/api/domains', { host: HOST })
    expect(again.body.data).toMatchObject({ status: 'pending', link_count: 1 })
    expect((await visit('/theirs'))[0]).toBe(404)
    expect(await visit('/ours')).toEqual([404, null])
  })

  async function startWorld(): Promise<void> {
    world = await startDomainWorld()
    rig = await startContractRig({ ...world.settings, UNKNOWN_HOSTS: unknownHosts }, world.options)
  }

  async function stopWorld(): Promise<void> {
    await rig?.stop()
    await world?.stop()
  }
})

const HOST = 'go.example'
