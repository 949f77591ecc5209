import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../../test/rigs/service/domain-world.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../test/rigs/store/test-store.ts'
import { hasNoOpenssl, startTlsHosts } from '../../test/rigs/http/tls-hosts.ts'
import { readConfig } from '../config/config.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { DAY_US, HOUR_US, manualClock, systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { addDomain } from './add-domain.ts'
import { openDomainChecks } from './open-domain-checks.ts'
import { recheckDomains } from './recheck-domains.ts'
import { addSharedDomain } from './shared-domains.ts'

const folders = temporaryFolders()
let world: DomainWorld
beforeAll(async () => (world = await startDomainWorld()))
afterAll(async () => {
  await world.stop()
  folders.remove()
})

describe('the daily look at domains', () => {
  let store: Store
  afterAll(() => store.close())

  test('marks a domain that leads elsewhere, mails its admins once after a week, and never drops it', async () => {
    store = await openTestStore(folders.make())
    const { db, relaxedDb } = store
    const { workspaceId } = await addAccount(db, { email: 'owner@example.com' })
    await db.updateTable('users').set({ email_verified_at: 1 }).execute()
    const verified = {
      workspace_id: workspaceId,
      verification_token: 'a-token',
      verified_at: 1,
      checked_at: 1,
    }
    const names = ['good.example', 'bad.example', 'pending.example']
    await db
      .insertInto('domains')
      .values(
        names.map((name) =>
          name === 'pending.example' ? { name, ...verified } : { name, host: name, ...verified },
        ),
      )
      .execute()
    world.addresses.set('good.example', OWN_IP)
    world.addresses.set('bad.example', OTHER_IP)
    const config = readConfig({ ...world.settings })
    const checks = openDomainChecks({
      config,
      reachableIps: world.options.reachableIps!,
      dnsServers: world.options.dnsServers,
    })
    const clock = manualClock(100 * DAY_US)
    const mails: EmailTemplate[] = []
    const deps = { db: relaxedDb, clock, checks, baseUrl: config.baseUrl }
    const onMails = (more: readonly EmailTemplate[]) => void mails.push(...more)
    const look = () => recheckDomains({ ...deps, onMails })
    const rows = () => db.selectFrom('domains').selectAll().where('name', '<>', '').orderBy('id').execute()

    for (let day = 0; day < 9; day++) {
      await look()
      // Not due again on the same day.
      await look()
      expect([day, mails.length]).toEqual([day, day < 7 ? 0 : 1])
      clock.advance(DAY_US)
    }
    expect(mails[0]).toMatchObject({
      to: 'owner@example.com',
      action: { href: `${config.baseUrl}/dashboard/domains` },
    })
    const [good, bad, pending] = await rows()
    expect(good).toMatchObject({ host: 'good.example', failing_since: null, failure: null })
    expect(bad).toMatchObject({ host: 'bad.example', failing_since: 100 * DAY_US })
    expect(bad!.failure).toContain(OTHER_IP)
    expect(pending).toMatchObject({ host: null, checked_at: 1 })

    world.addresses.set('bad.example', OWN_IP)
    await look()
    expect((await rows())[1]).toMatchObject({ failing_since: null, failure: null })
  })

  test('looks at shared domains too, from their first day, and mails nobody about them', async () => {
    const { db, relaxedDb, close } = await openTestStore(folders.make())
    world.addresses.set('shared.example', OTHER_IP)
    const clock = manualClock(100 * DAY_US)
    const redirectState = { changed: async () => {} }
    await addSharedDomain({ db, readDb: db, clock, redirectState }, COMMAND_LINE, 'shared.example')
    const config = readConfig({ ...world.settings })
    const { reachableIps = [], dnsServers } = world.options
    const checks = openDomainChecks({ config, reachableIps, dnsServers })
    const mails: EmailTemplate[] = []
    const onMails = (more: readonly EmailTemplate[]) => void mails.push(...more)
    const look = () => recheckDomains({ db: relaxedDb, clock, checks, baseUrl: config.baseUrl, onMails })
    const shared = () =>
      db.selectFrom('domains').selectAll().where('name', '=', 'shared.example').executeTakeFirstOrThrow()
    for (let day = 0; day < 9; day++) {
      await look()
      expect((await shared()).failing_since).toBe(100 * DAY_US)
      clock.advance(DAY_US)
    }
    expect((await shared()).failure).toContain(OTHER_IP)
    expect(mails).toEqual([])
    world.addresses.set('shared.example', OWN_IP)
    await look()
    expect(await shared()).toMatchObject({ host: 'shared.example', failing_since: null, failure: null })
    await close()
  })

  test('looks first at those that were never looked at', async () => {
    const { db, relaxedDb, close } = await openTestStore(folders.make())
    const row = { verification_token: 'a-token', verified_at: 1, is_shared: 1 }
    const names = Array.from({ length: 17 }, (_, i) => `${i}.example`)
    const checkedAt = (name: string) => (name === names.at(-1) ? null : 1)
    await db
      .insertInto('domains')
      .values(names.map((name) => ({ name, host: name, ...row, checked_at: checkedAt(name) })))
      .execute()
    const config = readConfig({ ...world.settings })
    const { reachableIps = [], dnsServers } = world.options
    const checks = openDomainChecks({ config, reachableIps, dnsServers })
    const clock = manualClock(100 * DAY_US)
    await recheckDomains({ db: relaxedDb, clock, checks, baseUrl: config.baseUrl, onMails() {} })
    const unseen = db
      .selectFrom('domains')
      .select('name')
      .where('id', '<>', 0)
      .where('checked_at', 'is', null)
    expect(await unseen.execute()).toEqual([])
    await close()
  })

  test('forgets of a domain that is added again what was found before', async () => {
    const { db, close } = await openTestStore(folders.make())
    const { workspaceId } = await addAccount(db, { email: 'owner@example.com' })
    const old = { verified_at: 1, removed_at: 2, checked_at: 1, failing_since: 1, failure: 'It failed.' }
    const certificate = { certificate_result: 'self_signed', certificate_ends_at: 3 }
    await db
      .insertInto('domains')
      .values([
        { name: 'own.example', workspace_id: workspaceId, is_shared: 0, ...old, ...certificate },
        { name: 'shared.example', workspace_id: null, is_shared: 1, ...old, ...certificate },
      ])
      .execute()
    const deps = { db, readDb: db, clock: manualClock(5), redirectState: { changed: async () => {} } }
    await addDomain(deps, operatorIn(workspaceId, COMMAND_LINE), 'own.example')
    await addSharedDomain(deps, COMMAND_LINE, 'shared.example')
    const unknown = { checked_at: null, failing_since: null, failure: null }
    const forgotten = { removed_at: null, ...unknown, certificate_result: null, certificate_ends_at: null }
    const added = db.selectFrom('domains').selectAll().where('id', '<>', 0).orderBy('name')
    expect(await added.execute()).toMatchObject([forgotten, forgotten])
    await close()
  })

  test.skipIf(hasNoOpenssl())(
    'stores the certificate, and looks again after an hour while it is not valid',
    async () => {
      const { db, relaxedDb, close } = await openTestStore(folders.make())
      const hosts = await startTlsHosts(folders.make())
      const row = { verification_token: 'a-token', verified_at: 1, checked_at: 1, is_shared: 1 }
      for (const name of ['base.example', 'tls.example']) world.addresses.set(name, OTHER_IP)
      await db
        .insertInto('domains')
        .values({ name: 'tls.example', host: 'tls.example', ...row })
        .execute()
      const settings = { ...world.settings, BASE_URL: `https://base.example:${hosts.port}` }
      const clock = manualClock(systemClock.nowUs())
      async function look(baseUrl = settings.BASE_URL) {
        const config = readConfig({ ...settings, BASE_URL: baseUrl })
        const { reachableIps = [], dnsServers } = world.options
        const authorities = [hosts.authority]
        const checks = openDomainChecks({ config, reachableIps, dnsServers, authorities })
        await recheckDomains({ db: relaxedDb, clock, checks, baseUrl, onMails() {} })
        const { certificate_result: result, certificate_ends_at: endsUs } = await db
          .selectFrom('domains')
          .selectAll()
          .where('name', '=', 'tls.example')
          .executeTakeFirstOrThrow()
        return { result, days: endsUs === null ? null : Math.floor((endsUs - clock.nowUs()) / DAY_US) }
      }

      // From here not even the server itself can be reached, which says nothing of what visitors get.
      expect(await look()).toEqual({ result: null, days: null })
      hosts.certify('base.example')
      clock.advance(DAY_US)
      const none = { result: 'no_answer', days: null }
      expect(await look()).toEqual(none)
      hosts.certify('tls.example', { days: 4 })
      // Not due yet.
      expect(await look()).toEqual(none)
      clock.advance(HOUR_US)
      expect(await look()).toEqual({ result: 'valid', days: 2 })
      // One that is valid is looked at once a day.
      hosts.certify('tls.example', { days: 21 })
      clock.advance(HOUR_US)
      expect(await look()).toEqual({ result: 'valid', days: 2 })
      clock.advance(DAY_US)
      expect(await look()).toEqual({ result: 'valid', days: 18 })
      clock.advance(DAY_US)
      expect(await look(world.settings.BASE_URL)).toEqual({ result: null, days: null })
      // One that has ended is looked at after an hour, as if it had not been valid.
      hosts.certify('tls.example', { days: 4 })
      clock.advance(DAY_US)
      expect(await look()).toEqual({ result: 'valid', days: -1 })
      hosts.certify('tls.example', { days: 31 })
      clock.advance(HOUR_US)
      expect(await look()).toEqual({ result: 'valid', days: 26 })
      await hosts.stop()
      await close()
    },
  )
})
