import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_US, dayOf, isoDay, systemClock } from '../../src/runtime/clock.ts'
import { type DomainWorld, OTHER_IP, startDomainWorld } from '../rigs/service/domain-world.ts'
import type { TestCaller } from '../rigs/service/service-rig.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { hasNoOpenssl, startTlsHosts, type TlsHosts } from '../rigs/http/tls-hosts.ts'
import { startContractRig } from './contract-rig.ts'

const folders = temporaryFolders()
let world: DomainWorld
let hosts: TlsHosts
let rig: Awaited<ReturnType<typeof startContractRig>>
let caller: TestCaller

describe.skipIf(hasNoOpenssl())('the certificate of a domain', () => {
  beforeAll(startWithHosts)
  afterAll(stopAll)

  test('is unknown before the domain is verified, and found by the check that verifies it', async () => {
    hosts.certify('go.example', { days: 30 })
    expect((await ask('POST', '', { host: 'go.example' })).certificate).toBeNull()
    expect(await checked('go.example')).toBeNull()
    world.addresses.set('go.example', OTHER_IP)
    expect(await checked('go.example')).toBeNull()
    world.txt.set('_tern.go.example', (await ask('GET', '/go.example')).verification.value)
    const found = { status: 'valid', expires_at: expect.stringContaining(inDays(30)) }
    expect(await checked('go.example')).toEqual(found)
    expect((await ask('GET', '')).map(({ host, certificate }: any) => [host, certificate])).toEqual([
      ['tern.example', null],
      ['go.example', found],
    ])
  })

  test('is looked at a second time by the check that verifies: a proxy gets it only then', async () => {
    await added('new.example')
    const before = hosts.connections()
    expect(await checked('new.example')).toEqual({ status: 'no_answer', expires_at: null })
    const twice = hosts.connections() - before
    await checked('new.example')
    expect(twice).toBe(2 * (hosts.connections() - before - twice))
    hosts.certify('new.example')
    expect(await checked('new.example')).toMatchObject({ status: 'valid' })
  })

  test('says what is wrong with it', async () => {
    await added('bad.example')
    hosts.certify('bad.example', { isSelfSigned: true })
    expect(await checked('bad.example')).toMatchObject({ status: 'self_signed' })
    hosts.certify('bad.example', { of: 'go.example', days: 5 })
    const wrong = { status: 'wrong_host', expires_at: expect.stringContaining(inDays(5)) }
    expect(await checked('bad.example')).toEqual(wrong)
    hosts.certify('bad.example', { days: -1 })
    const old = { status: 'expired', expires_at: expect.stringContaining(inDays(-1)) }
    expect(await checked('bad.example')).toEqual(old)
    // One that was valid when it was looked at expires all the same.
    const ended = { certificate_result: 'valid', certificate_ends_at: 1 }
    await rig.store.db.updateTable('domains').set(ended).where('name', '=', 'bad.example').execute()
    expect((await ask('GET', '/bad.example')).certificate).toMatchObject({ status: 'expired' })
  })

  async function startWithHosts(): Promise<void> {
    world = await startDomainWorld()
    hosts = await startTlsHosts(folders.make())
    hosts.certify('tern.example')
    world.addresses.set('tern.example', OTHER_IP)
    rig = await startContractRig(
      { ...world.settings, BASE_URL: `https://tern.example:${hosts.port}` },
      { ...world.options, authorities: [hosts.authority] },
    )
    caller = await rig.makeCaller()
  }

  async function stopAll(): Promise<void> {
    await rig?.stop()
    await hosts?.stop()
    await world?.stop()
    folders.remove()
  }
})

const ask = async (method: string, path: string, body?: object) =>
  (await rig.call(method, `/api/domains${path}`, { key: caller.key, ...(body && { body }) })).body.data

/** A domain whose records are set. */
async function added(host: string): Promise<void> {
  const { txt_name, value } = (await ask('POST', '', { host })).verification
  world.txt.set(txt_name, value)
  world.addresses.set(host, OTHER_IP)
}
const checked = async (host: string) => (await ask('POST', `/${host}/verify`)).certificate
const inDays = (count: number) => isoDay(dayOf(systemClock.nowUs() + count * DAY_US))
