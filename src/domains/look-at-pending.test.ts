import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../../test/rigs/service/domain-world.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../test/rigs/store/test-store.ts'
import { COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { readConfig } from '../config/config.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { DAY_US, HOUR_US, manualClock, MINUTE_US } from '../runtime/clock.ts'
import { HostLimit, OPENINGS_PER_MINUTE } from '../destination-pages/host-limit.ts'
import { addDomain } from './add-domain.ts'
import { nextLookUs, storedLook } from './domain-looks.ts'
import { lookAtPendingDomains } from './look-at-pending.ts'
import { openDomainChecks } from './open-domain-checks.ts'

const folders = temporaryFolders()
let world: DomainWorld
beforeAll(async () => (world = await startDomainWorld()))
beforeEach(() => world.txt.clear())
afterAll(async () => {
  await world.stop()
  folders.remove()
})

describe('looks at domains that are not verified', () => {
  test('a domain whose host was opened too often stays due', async () => {
    const { clock, close, workspace, row, add, look, hostLimit } = await opened()
    const owner = await workspace('owner@example.com')
    await add(owner, 'busy.example')
    for (let i = 0; i < OPENINGS_PER_MINUTE; i++) hostLimit.count('busy.example')
    await look()
    expect(await row('busy.example', owner.workspaceId)).toMatchObject({ checked_at: null, failure: null })
    clock.advance(MINUTE_US)
    await look()
    expect(await row('busy.example', owner.workspaceId)).toMatchObject({ checked_at: clock.nowUs() })
    await close()
  })

  test('a record that is seen later verifies the domain, and its admins get one email', async () => {
    const { db, clock, mails, close, workspace, row, add, look } = await opened()
    const owner = await workspace('owner@example.com')
    await add(owner, 'soon.example')
    world.addresses.set('soon.example', OTHER_IP)
    const now = () => row('soon.example', owner.workspaceId)
    await look()
    const first = await now()
    expect(first).toMatchObject({ host: null, checked_at: clock.nowUs(), failing_since: clock.nowUs() })
    expect(storedLook(first)).toMatchObject({
      ownership: expect.stringContaining(
        'There is no TXT record _tern.soon.example with the expected value.',
      ),
      dns: `soon.example leads to ${OTHER_IP}, not to tern.example (${OWN_IP}).`,
      addresses: [OTHER_IP],
    })
    world.txt.set('_tern.soon.example', `tern-verify=${first.verification_token}`)
    clock.advance(9 * MINUTE_US)
    await look()
    expect(await now()).toEqual(first)
    expect(mails).toEqual([])
    clock.advance(MINUTE_US)
    expect(nextLookUs(first, clock.nowUs())).toBe(clock.nowUs())
    await look()
    const verified = await now()
    // Looked at again in a minute: now that it is served, more may be found.
    expect(verified).toMatchObject({ host: 'soon.example', verified_at: clock.nowUs(), checked_at: null })
    await look()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['owner@example.com', `soon.example is verified at ${new URL(world.settings.BASE_URL!).host}`],
    ])
    expect(mails[0]!.paragraphs.join(' ')).toContain(
      `They cannot be opened yet: soon.example leads to ${OTHER_IP}`,
    )
    const entry = db.selectFrom('audit_log').selectAll().where('action', '=', 'domain.verified')
    expect(await entry.execute()).toMatchObject([
      { target: 'soon.example', actor: 'Tern', client: 'schedule' },
    ])
    await close()
  })

  test('is looked at each ten minutes for two hours, then each hour, for three days, and again when it is added again', async () => {
    const { db, clock, close, workspace, row, add, look } = await opened()
    const owner = await workspace('owner@example.com')
    await add(owner, 'never.example')
    const startUs = clock.nowUs()
    const looks: number[] = []
    const watch = async (hours: number) => {
      for (let minutes = 0; minutes < hours * 60; minutes += 5) {
        await look()
        const at = (await row('never.example', owner.workspaceId)).checked_at
        if (at === clock.nowUs()) looks.push((at - startUs) / MINUTE_US)
        clock.advance(5 * MINUTE_US)
      }
    }
    await watch(5)
    expect(looks).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 170, 230, 290])
    clock.advance(66 * HOUR_US)
    await watch(2)
    const last = looks.at(-1)!
    expect(last).toBeLessThan(72 * 60)
    expect(nextLookUs(await row('never.example', owner.workspaceId), clock.nowUs())).toBeNull()
    clock.advance(DAY_US)
    await look()
    expect((await row('never.example', owner.workspaceId)).checked_at).toBe(startUs + last * MINUTE_US)
    await db.deleteFrom('domains').where('name', '=', 'never.example').execute()
    await add(owner, 'never.example')
    await look()
    expect((await row('never.example', owner.workspaceId)).checked_at).toBe(clock.nowUs())
    await close()
  })

  test('takes no domain from a workspace that has it, and looks at few at once, at those of no closed workspace', async () => {
    const { db, clock, mails, close, workspace, row, add, look } = await opened()
    const holder = await workspace('holder@example.com')
    const later = await workspace('later@example.com')
    await add(holder, 'held.example')
    const held = db.updateTable('domains').set({ host: 'held.example', verified_at: 1, checked_at: 1 })
    await held.where('workspace_id', '=', holder.workspaceId).execute()
    await add(later, 'held.example')
    const { verification_token: token } = await row('held.example', later.workspaceId)
    world.txt.set('_tern.held.example', `tern-verify=${token}`)
    await look()
    expect(await row('held.example', later.workspaceId)).toMatchObject({
      host: null,
      failure: 'Somebody else on this server uses the domain. Check it now to use it here instead.',
    })
    expect(await row('held.example', holder.workspaceId)).toMatchObject({
      host: 'held.example',
      checked_at: 1,
    })
    expect(mails).toEqual([])

    for (let n = 0; n < 6; n++) await add(later, `${n}.never.example`)
    const unseen = db
      .selectFrom('domains')
      .select('name')
      .where('name', 'like', '%never.example')
      .where('checked_at', 'is', null)
      .orderBy('id')
    await look()
    expect((await unseen.execute()).map(({ name }) => name)).toEqual(['4.never.example', '5.never.example'])
    await db.updateTable('workspaces').set({ closed_at: 1 }).where('id', '=', later.workspaceId).execute()
    clock.advance(HOUR_US)
    await look()
    expect(await unseen.execute()).toHaveLength(2)
    await close()
  })

  async function opened() {
    const { db, relaxedDb, close } = await openTestStore(folders.make())
    const config = readConfig({ ...world.settings })
    const { reachableIps = [], dnsServers } = world.options
    const clock = manualClock(100 * DAY_US)
    const hostLimit = new HostLimit(clock, config.baseUrl)
    const checks = openDomainChecks({ config, reachableIps, dnsServers, hostLimit })
    const mails: EmailTemplate[] = []
    const onMails = (more: readonly EmailTemplate[]) => void mails.push(...more)
    const deps = { db: relaxedDb, clock, checks, baseUrl: config.baseUrl, onMails }
    const redirectState = { changed: async () => {} }
    const workspace = async (email: string) => {
      const { workspaceId } = await addAccount(db, { email })
      await db.updateTable('users').set({ email_verified_at: 1 }).execute()
      return operatorIn(workspaceId, COMMAND_LINE)
    }
    const row = (name: string, workspaceId: number) =>
      db
        .selectFrom('domains')
        .selectAll()
        .where('name', '=', name)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
    return {
      db,
      clock,
      mails,
      close,
      workspace,
      row,
      hostLimit,
      add: (caller: ReturnType<typeof operatorIn>, name: string) =>
        addDomain({ db, clock, redirectState }, caller, name),
      look: () => lookAtPendingDomains(deps),
    }
  }
})
