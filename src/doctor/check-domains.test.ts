import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../../test/rigs/service/domain-world.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../test/rigs/store/test-store.ts'
import { hasNoOpenssl, startTlsHosts, type TlsHosts } from '../../test/rigs/http/tls-hosts.ts'
import { readConfig } from '../config/config.ts'
import { openDomainChecks } from '../domains/open-domain-checks.ts'
import { DAY_US, dayOf, isoDay, systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { checkDomains } from './check-domains.ts'

const folders = temporaryFolders()
let world: DomainWorld
let store: Store
beforeAll(addDomains)
afterAll(async () => {
  await store.close()
  await world.stop()
  folders.remove()
})

test('a domain that leads elsewhere is a warning, one that is not verified is none', async () => {
  world.addresses.set('good.example', OWN_IP)
  world.addresses.set('bad.example', OTHER_IP)
  expect(await check(0)).toEqual([
    {
      check: 'domains',
      severity: 'warning',
      message: `bad.example leads to ${OTHER_IP}, not to tern.example (${OWN_IP}).`,
    },
  ])
  world.addresses.set('bad.example', OWN_IP)
  expect(await check(0)).toEqual([
    { check: 'domains', severity: 'ok', message: 'All 2 domains besides that of BASE_URL lead here.' },
  ])
})

test('a domain of a workspace that is being deleted is not looked at', async () => {
  const { workspaceId } = await addAccount(store.db, { email: 'gone@example.com' })
  const row = { name: 'closed.example', host: 'closed.example', workspace_id: workspaceId, verified_at: 1 }
  await store.db.insertInto('domains').values(row).execute()
  const messages = async () => (await check(0)).map(({ message }) => message)
  expect(await messages()).toContain('closed.example has no public address.')
  await store.db.updateTable('workspaces').set({ closed_at: 1 }).where('id', '=', workspaceId).execute()
  expect(await messages()).toEqual(['All 2 domains besides that of BASE_URL lead here.'])
})

test('of more domains than it looks at it says how many there are', async () => {
  const rows = Array.from({ length: 99 }, (_, i) => ({
    name: `${i}.example`,
    host: `${i}.example`,
    is_shared: 1,
  }))
  for (const { host } of rows) world.addresses.set(host, OWN_IP)
  await store.db.insertInto('domains').values(rows).execute()
  try {
    const message = 'The first 100 of 101 domains lead here. The server looks at the others once a day.'
    expect(await check(0)).toEqual([{ check: 'domains', severity: 'ok', message }])
  } finally {
    await store.db
      .deleteFrom('domains')
      .where(
        'name',
        'in',
        rows.map(({ name }) => name),
      )
      .execute()
  }
})

describe.skipIf(hasNoOpenssl())('with https', () => {
  let hosts: TlsHosts
  beforeAll(async () => {
    hosts = await startTlsHosts(folders.make())
    hosts.certify('tern.example')
    for (const host of ['tern.example', 'good.example', 'bad.example']) world.addresses.set(host, OTHER_IP)
  })
  afterAll(() => hosts?.stop())

  const days = (count: number) => systemClock.nowUs() + count * DAY_US
  async function certificates(nowUs: number) {
    const settings = { BASE_URL: `https://tern.example:${hosts.port}` }
    const found = await check(nowUs, { settings, hosts })
    expect(found[0]).toMatchObject({ check: 'domains', severity: 'ok' })
    return found.slice(1).map(({ severity, message }) => [severity, message])
  }

  test('each domain has a certificate that is valid, or a warning says what is wrong with it', async () => {
    const end = isoDay(dayOf(days(60)))
    hosts.certify('good.example', { days: 60 })
    const good = ['ok', `The certificate of good.example is valid until ${end}.`]
    const bad = (sentence: string) => ['warning', `${sentence} Visitors cannot open links there.`]
    const intermediate = 'the intermediate certificate that a known authority has signed'
    expect(await certificates(days(0))).toEqual([good, bad('bad.example does not answer with TLS.')])
    hosts.certify('bad.example', { days: 60, isSelfSigned: true })
    expect(await certificates(days(0))).toEqual([
      good,
      bad(`The certificate of bad.example is self-signed, valid until ${end}.`),
    ])
    hosts.certify('bad.example', { days: 60, of: 'good.example' })
    expect(await certificates(days(0))).toEqual([
      good,
      bad(`bad.example has the certificate of another host, valid until ${end}.`),
    ])
    hosts.certify('bad.example', { intermediate: 'missing' })
    expect(await certificates(days(0))).toEqual([
      good,
      bad(`bad.example does not send ${intermediate}, only its own, valid until ${end}.`),
    ])
    hosts.certify('bad.example', { days: -1 })
    expect(await certificates(days(0))).toEqual([
      good,
      bad(`The certificate of bad.example expired on ${isoDay(dayOf(days(-1)))}.`),
    ])
  })

  test('looks at its own host once, however many others do not answer', async () => {
    await store.db
      .insertInto('domains')
      .values(['one.example', 'two.example'].map((name) => ({ name, host: name, is_shared: 1 })))
      .execute()
    for (const host of ['one.example', 'two.example']) world.addresses.set(host, OTHER_IP)
    const before = hosts.handshakes('tern.example')
    const silent = (await certificates(days(0)))
      .map(([, message]) => message)
      .filter((message) => message!.includes('does not answer'))
    expect(silent).toHaveLength(2)
    expect(hosts.handshakes('tern.example') - before).toBe(1)
    await store.db.deleteFrom('domains').where('name', 'in', ['one.example', 'two.example']).execute()
  })

  test('a certificate that ends within a week is a warning', async () => {
    hosts.certify('good.example', { days: 60 })
    hosts.certify('bad.example', { days: 10 })
    const end = isoDay(dayOf(days(10)))
    const ofBad = async (nowUs: number) => (await certificates(nowUs))[1]
    expect(await ofBad(days(2))).toEqual(['ok', `The certificate of bad.example is valid until ${end}.`])
    const endsIn = (distance: string) =>
      `The certificate of bad.example ends ${distance}, on ${end}. Renew it.`
    expect(await ofBad(days(4))).toEqual(['warning', endsIn('in 6 days')])
    expect(await ofBad(days(9.5))).toEqual(['warning', endsIn('within a day')])
  })
})

async function addDomains(): Promise<void> {
  world = await startDomainWorld()
  store = await openTestStore(folders.make())
  const served = ['good.example', 'bad.example'].map((name) => ({ name, host: name, is_shared: 1 }))
  const pending = { name: 'pending.example', host: null, is_shared: 1 }
  await store.db
    .insertInto('domains')
    .values([...served, pending])
    .execute()
}

/** What doctor says of domains at a time. */
function check(nowUs: number, { settings = {}, hosts }: { settings?: object; hosts?: TlsHosts } = {}) {
  const { reachableIps = [], dnsServers } = world.options
  const config = readConfig({ ...world.settings, ...settings })
  const checks = openDomainChecks({ config, reachableIps, dnsServers, authorities: [hosts?.authority ?? ''] })
  return checkDomains({ db: store.db, nowUs, checks })
}
