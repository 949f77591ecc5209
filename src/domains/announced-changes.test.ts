import { UNHEARD } from '../../test/rigs/service/creation.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../../test/rigs/service/domain-world.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../test/rigs/store/test-store.ts'
import { COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { readConfig } from '../config/config.ts'
import { WorkspacePlaces } from '../limits/workspace-places.ts'
import { changeListener } from '../cli/service/change-listener.ts'
import { LinkCache } from '../links/routes/link-cache.ts'
import { KeptRedirectState, readRedirectState } from '../links/routes/redirect-state.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import { manualClock } from '../runtime/clock.ts'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { addDomain } from './add-domain.ts'
import { editDomain } from './edit-domain.ts'
import { openDomainChecks } from './open-domain-checks.ts'
import { removeDomain } from './remove-domain.ts'
import { findDomain } from './find-domains.ts'
import { verifyDomain } from './verify-domain.ts'

const HOST = 'go.example'

const folders = temporaryFolders()
let world: DomainWorld
beforeAll(async () => (world = await startDomainWorld()))
afterAll(async () => {
  await world.stop()
  folders.remove()
})

describe('which changes of domains are announced', () => {
  test('a change is announced if visitors are served something else, and empties the link cache then only', async () => {
    const { db, close } = await openTestStore(folders.make())
    const { workspaceId } = await addAccount(db, { email: 'owner@example.com' })
    const caller = operatorIn(workspaceId, COMMAND_LINE)
    const config = readConfig({ ...world.settings })
    const kept = new KeptRedirectState(config, await readRedirectState(db))
    const { blocks, domains } = kept
    const routes = { get: () => PLAIN_ROUTE, forget() {} }
    const metrics = openMetrics(newSharedMetrics())
    const links = new LinkCache({ routes, ownHosts: domains, blocks, metrics }, 10)
    const listener = changeListener(links, kept, { readStateAgain() {} })
    let announced = 0
    const redirectState = { changed: async () => void announced++ }
    const { reachableIps = [], dnsServers } = world.options
    const deps = {
      db,
      clock: manualClock(1),
      redirectState,
      baseUrl: config.baseUrl,
      mails: { post() {} },
      ...UNHEARD,
      ...UNHEARD,
      domainChecks: openDomainChecks({ config, reachableIps, dnsServers }),
      domainCheckPlaces: new WorkspacePlaces(
        { running: 1, runningOfOne: 1, waiting: 1, waitingOfOne: 1 },
        'Too many domains are being checked.',
      ),
    }

    async function after(change: () => Promise<unknown>): Promise<Effect> {
      announced = 0
      void links.get(PLAIN_ROUTE)
      await change()
      listener.onState(await readRedirectState(db))
      return [announced, links.size]
    }
    const verify = async () => verifyDomain(deps, caller, await findDomain({ db }, caller, HOST))
    const edit = (home_url: string) => editDomain(deps, caller, { name: HOST, edit: { home_url } })
    const remove = () => removeDomain(deps, caller, HOST)
    const add = () => addDomain(deps, caller, HOST)
    const SILENT: Effect = [0, 1]
    const ANNOUNCED: Effect = [1, 0]

    expect(await after(add)).toEqual(SILENT)
    expect(await after(verify)).toEqual(SILENT)
    expect(await after(() => edit('https://a.example/'))).toEqual(SILENT)
    expect(await after(remove)).toEqual(SILENT)
    await add()
    const domain = db.selectFrom('domains').select('verification_token as token').where('name', '=', HOST)
    world.txt.set(`_tern.${HOST}`, `tern-verify=${(await domain.executeTakeFirstOrThrow()).token}`)
    world.addresses.set(HOST, OWN_IP)
    expect(await after(verify)).toEqual(ANNOUNCED)
    expect(await after(verify)).toEqual(SILENT)
    world.addresses.set(HOST, OTHER_IP)
    expect(await after(verify)).toEqual(SILENT)
    expect(await after(() => edit('https://a.example/'))).toEqual(ANNOUNCED)
    expect(await after(() => edit('https://a.example/'))).toEqual(SILENT)
    expect(await after(remove)).toEqual(ANNOUNCED)
    await close()
  })
})

/** How often a change was announced, and how many links were in the cache after the state was read. */
type Effect = [announced: number, cached: number]
