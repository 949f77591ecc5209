import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createUnasked } from '../../test/rigs/service/creation.ts'
import { readFileSync } from 'node:fs'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { eventually } from '../../test/rigs/eventually.ts'
import { recordingLog } from '../../test/rigs/clicks/ingest-rig.ts'
import { newLinkTo } from '../../test/rigs/redirect/new-link-to.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { useSharedFolders } from '../../test/rigs/use-rig.ts'
import { openTestStore, testEngine, testPlace } from '../../test/rigs/store/test-store.ts'
import { readClaimRecord } from '../codes/log/code-log-record.ts'
import { NodeCodeLog } from '../codes/log/node-code-log.ts'
import { openCodeLog } from '../codes/log/open-code-log.ts'
import { codeLogPath } from '../codes/log/read-code-log.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { Blocks } from './destinations/blocks.ts'
import type { LinkKey } from './link-key.ts'
import { KnownLinks, knownLinksPath, saveKnownLinks } from './routes/known-links.ts'
import { LinkCache } from './routes/link-cache.ts'
import { openRouteSource } from './routes/route-source.ts'
import { toggleLink } from './toggle-link.ts'

const OTHER_DOMAIN = 5

const folders = useSharedFolders()

describe('the same code on two domains', () => {
  let dataDir: string
  let store: Store
  let codeLog: NodeCodeLog
  let owners: number[]
  let changed: LinkKey[]

  beforeEach(openDomains)
  afterEach(closeDomains)

  test('has its domain in the audit log, except the default domain', async () => {
    await claimBoth()
    await toggleLink(deps(), ownerOf(owners[1]!), THERE)
    const entries = await store.db
      .selectFrom('audit_log')
      .select(['action', 'target'])
      .orderBy('id')
      .execute()
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['link.created', 'sale'],
      ['link.created', 'go.example/sale'],
      ['link.updated', 'go.example/sale'],
    ])
  })

  test('stays with its owners where an older database takes the place of this one', async () => {
    await claimBoth()
    const logged = readFileSync(codeLogPath(dataDir), 'latin1')
      .split('\n')
      .flatMap((line) => readClaimRecord(line) ?? [])
    expect(logged.map(({ domainId, code, workspaceId }) => [domainId, code, workspaceId])).toEqual([
      [0, 'sale', owners[0]!],
      [OTHER_DOMAIN, 'sale', owners[1]!],
    ])
    const { store: older } = await openWithTwo(folders.make())
    const reopened = new NodeCodeLog({ db: older.db, log: recordingLog() }, [dataDir])
    await reopened.ready()
    const blocked = older.db
      .selectFrom('codes')
      .select(['domain_id', 'code', 'workspace_id'])
      .orderBy('domain_id')
    expect(await blocked.execute()).toEqual(
      KEYS.map(({ domainId, code }, i) => ({ domain_id: domainId, code, workspace_id: owners[i]! })),
    )
    const on = { ...deps(older.db), codeLog: reopened }
    await expect(claim(owners[1]!, HERE, on)).rejects.toMatchObject({ kind: 'invalid' })
    await claim(owners[1]!, THERE, on)
    await reopened.close()
    await older.close()
  })

  test('is written whole into a new code log', async () => {
    await claimBoth()
    const folder = folders.make()
    const uncountedIds = async () => ({ link: 0, workspace: 0 })
    const { path } = await openCodeLog({ db: store.db, log: recordingLog(), uncountedIds }, folder)
    const logged = readFileSync(path, 'latin1')
      .split('\n')
      .flatMap((line) => readClaimRecord(line) ?? [])
    expect(logged.map(({ domainId, code }) => ({ domainId, code }))).toEqual(KEYS)
  })

  test('is read, cached and saved by domain, and another node follows each', async () => {
    await claimBoth()
    const source = await openRouteSource(await testPlace(dataDir), {
      clock: systemClock,
      log: recordingLog(),
    })
    const metrics = openMetrics(newSharedMetrics())
    const cache = new LinkCache({ ...source, ownHosts: new Set(), blocks: new Blocks(), metrics }, 100)
    const read = () => Promise.all(KEYS.map(async (key) => cache.get(key)))
    if (testEngine === 'postgres') {
      const ready = Promise.withResolvers<void>()
      source.follow(cache, { onState() {}, onAnotherServer: ready.resolve })
      await ready.promise
    }
    expect((await read()).map((route) => route?.destination)).toEqual([
      'https://example.com/0',
      'https://example.com/5',
    ])
    expect(await Promise.all([3, 7].map(async (domainId) => cache.get({ domainId, code: 'sale' })))).toEqual([
      undefined,
      undefined,
    ])
    await saveKnownLinks(knownLinksPath(dataDir), cache.links())
    const known = await KnownLinks.load(knownLinksPath(dataDir))
    expect(KEYS.map((key) => known.get(key)?.destination)).toEqual([
      'https://example.com/0',
      'https://example.com/5',
    ])
    changed = []
    await toggleLink(deps(), ownerOf(owners[1]!), THERE)
    // On SQLite nobody else changes the file, so this process says what has changed.
    if (testEngine === 'sqlite') cache.forget(changed)
    const followed = await eventually(read, ([, there]) => there?.isActive === false)
    expect(followed.map((route) => route?.isActive)).toEqual([true, false])
    await source.close()
  })

  async function openDomains(): Promise<void> {
    dataDir = folders.make()
    ;({ store, owners } = await openWithTwo(dataDir))
    codeLog = new NodeCodeLog({ db: store.db, log: recordingLog() }, [dataDir])
    changed = []
  }

  async function closeDomains(): Promise<void> {
    await codeLog.close()
    await store.close()
  }

  /** A store with two workspaces and a second domain. */
  async function openWithTwo(folder: string) {
    const opened = await openTestStore(folder)
    const emails = ['first@example.com', 'second@example.com']
    const made = [
      await addAccount(opened.db, { email: emails[0]! }),
      await addAccount(opened.db, { email: emails[1]! }),
    ]
    await opened.db.insertInto('domains').values({ id: OTHER_DOMAIN, host: 'go.example' }).execute()
    return { store: opened, owners: made.map(({ workspaceId }) => workspaceId) }
  }

  const deps = (db = store.db) => ({
    db,
    clock: systemClock,
    codeLog,
    changes: { changed: (keys: readonly LinkKey[]) => void changed.push(...keys) },
    linksMax: {},
  })

  async function claim(owner: number, { domainId, code }: LinkKey, on = deps()): Promise<void> {
    const link = newLinkTo(`https://example.com/${domainId}`, { custom_code: code })
    await createUnasked(on, ownerOf(owner), [{ ...link, domainId }])
  }

  const claimBoth = async () => {
    await claim(owners[0]!, HERE)
    await claim(owners[1]!, THERE)
  }
})

const KEYS: LinkKey[] = [0, OTHER_DOMAIN].map((domainId) => ({ domainId, code: 'sale' }))
const [HERE, THERE] = KEYS as [LinkKey, LinkKey]
