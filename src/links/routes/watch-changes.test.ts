import { COMMAND_LINE } from '../../access/caller.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../../../test/rigs/eventually.ts'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { type LinkedStore, openLinkedStore } from '../../../test/rigs/store/linked-store.ts'
import { FAST, lacksPostgres, PostgresServer } from '../../../test/rigs/store/postgres-server.ts'
import { TcpProxy } from '../../../test/rigs/outside/tcp-proxy.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import { reinstateWorkspace, suspendWorkspace } from '../../operator/suspend-workspace.ts'
import { manualClock, MINUTE_US } from '../../runtime/clock.ts'
import { UNHEARD } from '../../../test/rigs/service/creation.ts'
import { NO_OWN_HOST } from '../../../test/rigs/redirect/no-own-host.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { openPostgresReader, type PostgresReader } from '../../store/postgres/postgres-reader.ts'
import { blockHost, unblockHost } from '../destinations/block-host.ts'
import { deleteLink } from '../trash/delete-link.ts'
import { editLink } from '../edit-link.ts'
import type { LinkEdit } from '../link-fields.ts'
import { toggleLink } from '../toggle-link.ts'
import { ChangeWatch } from './watch-changes.ts'
import { defaultKey } from '../link-key.ts'

/** Another node. */
let linked: LinkedStore
/** Between the watch and the database. */
let network: TcpProxy
let reader: PostgresReader
let watch: ChangeWatch
let reported: string[]

describe.skipIf(lacksPostgres('what other nodes change'))('the change watch', () => {
  beforeAll(openBoth)
  beforeEach(startWatch)
  afterEach(stopWatch)
  afterAll(closeBoth)

  test('reports each change of a link once, whichever function made it', async () => {
    await toggleLink(deps(), CALLER, defaultKey('a'))
    await hasReported('a')
    await editLink(deps(), CALLER, {
      key: defaultKey('a'),
      edit: edit({ destination: 'https://example.org/' }),
    })
    await hasReported('a')
    await editLink(deps(), CALLER, { key: defaultKey('b'), edit: edit({ isActive: false }) })
    await hasReported('b')
    await linked.addLink('deleted')
    await deleteLink(deps(), CALLER, defaultKey('deleted'))
    await hasReported('deleted')
    await Promise.all(['a', 'b', 'c'].map((code) => toggleLink(deps(), CALLER, defaultKey(code))))
    await hasReported('a', 'b', 'c')
  })

  test('reports a blocked host and a suspended workspace', async () => {
    await blockHost({ ...deps(), redirectState }, { host: 'example.net', reason: '' })
    await hasReported('blocks')
    await unblockHost({ ...deps(), redirectState }, 'example.net')
    await hasReported('blocks')
    await suspendWorkspace({ ...deps(), redirectState }, COMMAND_LINE, 2)
    await hasReported('blocks')
    await reinstateWorkspace({ ...deps(), redirectState }, COMMAND_LINE, 2)
    await hasReported('blocks')
    await linked.store.db.updateTable('workspaces').set({ closed_at: NOON_US }).where('id', '=', 2).execute()
    await hasReported('blocks')
  })

  test('reports that the case of the domain of BASE_URL is ignored', async () => {
    const base = linked.store.db.updateTable('domains').where('id', '=', 0)
    await base.set({ case_insensitive: 1 }).execute()
    await hasReported('blocks')
    await base.set({ case_insensitive: 0 }).execute()
    await hasReported('blocks')
  })

  test('reports nothing for links that are created, renamed or clicked', async () => {
    await linked.addLink('made')
    await editLink(deps(), CALLER, { key: defaultKey('made'), edit: edit({ title: 'named' }) })
    await linked.store.db
      .insertInto('link_totals')
      .values({ link_id: 1, workspace_id: 2, clicks: 1, visitors: 1, bots: 0, last_clicked_at: NOON_US })
      .execute()
    await toggleLink(deps(), CALLER, defaultKey('a'))
    await hasReported('a')
  })

  test('reports changes when notifications get lost', async () => {
    await watch.stop()
    begin({ changesSince: reader.changesSince, onNotify() {} })
    await hasReported('all')
    for (const code of ['a', 'b']) {
      await toggleLink(deps(), CALLER, defaultKey(code))
      await hasReported(code)
    }
  })

  test('catches up after an outage of the database, and logs it once', async () => {
    network.fallSilent()
    await toggleLink(deps(), CALLER, defaultKey('a'))
    await isUnavailable(true)
    await toggleLink(deps(), CALLER, defaultKey('b'))
    expect(reported).toEqual([])
    network.recover()
    await hasReported('a', 'b')
    await isUnavailable(false)
    expect(log.lines.map(({ message }) => message)).toEqual([
      'The database does not respond.',
      'The database is reachable again.',
    ])
    await toggleLink(deps(), CALLER, defaultKey('c'))
    await hasReported('c')
  })

  test('reports that anything may have changed after a silence longer than changes are kept', async () => {
    clock.advance(29 * MINUTE_US)
    await toggleLink(deps(), CALLER, defaultKey('a'))
    await hasReported('a')
    clock.advance(31 * MINUTE_US)
    await hasReported('all')
    await toggleLink(deps(), CALLER, defaultKey('b'))
    await hasReported('b')
  })

  test('reports a change again if the listener failed', async () => {
    await watch.stop()
    let tries = 0
    begin(reader, async () => {
      if (++tries < 3) throw new Error('Not now.')
    })
    await hasReported('all')
    await blockHost({ ...deps(), redirectState }, { host: 'example.net', reason: '' })
    await hasReported('blocks')
    expect(tries).toBe(3)
    tries = 1
    watch.readStateAgain()
    await hasReported('blocks')
    expect(tries).toBe(3)
  })

  test('neither polls nor logs after it has stopped', async () => {
    let polls = 0
    await watch.stop()
    const counting: WatchedReader = {
      changesSince(since) {
        polls++
        return reader.changesSince(since)
      },
      onNotify: reader.onNotify,
    }
    begin(counting)
    await hasReported('all')
    await watch.stop()
    const before = polls
    await toggleLink(deps(), CALLER, defaultKey('a'))
    await Bun.sleep(600)
    expect([polls, reported, log.errors()]).toEqual([before, [], []])
  })

  test('reports that anything may have changed after a failover', async () => {
    const standby = await PostgresServer.start({
      settings: { ...FAST, hot_standby: 'on' },
      of: await testPostgres(),
    })
    try {
      await toggleLink(deps(), CALLER, defaultKey('a'))
      await hasReported('a')
      // Still a standby, which does not know the position of the primary.
      network.pointTo(standby.port)
      await isUnavailable(true)
      await standby.promote()
      await hasReported('all')
      await isUnavailable(false)
      await standby.run(`UPDATE links SET is_active = 1 - is_active WHERE code = 'b'`, database())
      await hasReported('b')
    } finally {
      network.pointTo((await testPostgres()).port)
      await watch.stop()
      await standby.remove()
    }
  })

  async function openBoth(): Promise<void> {
    linked = await openLinkedStore(['a', 'b', 'c'])
    network = await TcpProxy.start(Number(new URL(linked.url).port))
    reader = openPostgresReader(network.urlOf(linked.url))
  }

  async function startWatch(): Promise<void> {
    log.lines.length = 0
    begin(reader)
    await hasReported('all')
  }

  async function stopWatch(): Promise<void> {
    await watch.stop()
    expect(reported).toEqual([])
  }

  async function closeBoth(): Promise<void> {
    await reader.close()
    await network.stop()
    await linked.store.close()
  }
})

const CALLER = ownerOf(2)
const log = recordingLog()

const clock = manualClock(NOON_US)

const redirectState = { changed: async () => {} }

type WatchedReader = Pick<PostgresReader, 'changesSince' | 'onNotify'>

function begin(watched: WatchedReader, onState = async () => {}): void {
  reported = []
  watch = new ChangeWatch(
    { reader: watched, clock, log },
    {
      onLinks: (keys) => void reported.push(...keys.map(({ code }) => code)),
      async onState() {
        await onState()
        reported.push('blocks')
      },
      onAll: async () => void reported.push('all'),
    },
  )
}

/** Waits for all reports since the last time, in any order. */
async function hasReported(...expected: string[]): Promise<void> {
  await eventually(
    async () => reported.length,
    (count) => count >= expected.length,
  )
  expect(reported.sort()).toEqual(expected)
  reported = []
}

async function isUnavailable(expected: boolean): Promise<void> {
  const found = await eventually(
    async () => watch.isUnavailable,
    (isUnavailable) => isUnavailable === expected,
  )
  expect(found).toBe(expected)
}

const deps = () => ({ db: linked.store.db, clock, destinationRules: NO_OWN_HOST, ...UNHEARD })

type Edit = { destination?: string; title?: string; isActive?: boolean }

const edit = ({ destination, title, isActive }: Edit): LinkEdit => ({
  original_url: destination === undefined ? undefined : { text: destination, href: destination },
  title,
  is_active: isActive,
})

const database = () => new URL(linked.url).pathname.slice(1)
