import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { listeningLog } from '../../test/rigs/ingest-rig.ts'
import { NOON_US } from '../../test/rigs/journal-rig.ts'
import { openLinkedStore } from '../../test/rigs/linked-store.ts'
import { FAST, findPostgres, PostgresServer } from '../../test/rigs/postgres-server.ts'
import { eventually } from '../../test/rigs/service-rig.ts'
import { TcpProxy } from '../../test/rigs/tcp-proxy.ts'
import { testPostgres } from '../../test/rigs/test-store.ts'
import { skipBecause } from '../../test/skips.ts'
import { reinstateAccount, suspendAccount } from '../accounts/manage-accounts.ts'
import { manualClock, MINUTE_US } from '../clock.ts'
import type { Caller } from '../caller.ts'
import type { Store } from '../store/open-store.ts'
import { openPostgresReader, type PostgresReader } from '../store/postgres-reader.ts'
import { blockHost, unblockHost } from './block-host.ts'
import { deleteLink } from './delete-link.ts'
import { editLink, type LinkEdit } from './edit-link.ts'
import { toggleLink } from './toggle-link.ts'
import { ChangeWatch } from './watch-changes.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('what other nodes change', 'apt-get install postgresql')

const CALLER = { accountId: 2 } as Caller

/** As another node changes it. */
let store: Store
let addLink: (code: string) => Promise<void>
let database: string
/** Between the watch and the database. */
let network: TcpProxy
let reader: PostgresReader
let watch: ChangeWatch
let heard: string[]
const clock = manualClock(NOON_US)
const log = listeningLog()

describe.skipIf(isMissing)('who watches for changes', () => {
  beforeAll(async () => {
    const linked = await openLinkedStore(['a', 'b', 'c'])
    store = linked.store
    addLink = linked.addLink
    database = new URL(linked.url).pathname.slice(1)
    network = await TcpProxy.start(Number(new URL(linked.url).port))
    reader = openPostgresReader(network.urlOf(linked.url))
  })
  beforeEach(async () => {
    log.lines.length = 0
    begin(reader)
    await hears('all')
  })
  afterEach(async () => {
    await watch.stop()
    expect(heard).toEqual([])
  })
  afterAll(async () => {
    await reader.close()
    await network.stop()
    await store.close()
  })

  test('hears each change of a link once, by whatever verb', async () => {
    await toggleLink(deps(), CALLER, 'a')
    await hears('a')
    await editLink(deps(), CALLER, { code: 'a', edit: edit({ destination: 'https://example.org/' }) })
    await hears('a')
    await editLink(deps(), CALLER, { code: 'b', edit: edit({ isActive: false }) })
    await hears('b')
    await addLink('deleted')
    await deleteLink(deps(), CALLER, 'deleted')
    await hears('deleted')
    await Promise.all(['a', 'b', 'c'].map((code) => toggleLink(deps(), CALLER, code)))
    await hears('a', 'b', 'c')
  })

  test('hears that what is blocked has changed: a host, an account', async () => {
    const blocks = { changed: async () => {} }
    await blockHost({ ...deps(), blocks }, { host: 'example.net', reason: '' })
    await hears('blocks')
    await unblockHost({ ...deps(), blocks }, 'example.net')
    await hears('blocks')
    await suspendAccount({ ...deps(), blocks }, 2)
    await hears('blocks')
    await reinstateAccount({ ...deps(), blocks }, 2)
    await hears('blocks')
    await store.db.updateTable('accounts').set({ closed_at: NOON_US }).where('id', '=', 2).execute()
    await hears('blocks')
  })

  test('hears nothing of links that are made, named or clicked', async () => {
    await addLink('made')
    await editLink(deps(), CALLER, { code: 'made', edit: edit({ title: 'named' }) })
    await store.db
      .insertInto('link_totals')
      .values({ link_id: 1, account_id: 2, clicks: 1, visitors: 1, bots: 0, last_clicked_at: NOON_US })
      .execute()
    await toggleLink(deps(), CALLER, 'a')
    await hears('a')
  })

  test('hears all the same where notifications do not come through', async () => {
    await watch.stop()
    begin({ changesSince: reader.changesSince, onNews() {} })
    await hears('all')
    for (const code of ['a', 'b']) {
      await toggleLink(deps(), CALLER, code)
      await hears(code)
    }
  })

  test('catches up with what it missed while the database did not answer, and says so once', async () => {
    network.fallSilent()
    await toggleLink(deps(), CALLER, 'a')
    await isAway(true)
    await toggleLink(deps(), CALLER, 'b')
    expect(heard).toEqual([])
    network.recover()
    await hears('a', 'b')
    await isAway(false)
    expect(log.lines.map(({ message }) => message)).toEqual([
      'The database does not respond.',
      'The database is reachable again.',
    ])
    await toggleLink(deps(), CALLER, 'c')
    await hears('c')
  })

  test('begins anew when there was no word for longer than changes are kept', async () => {
    clock.advance(29 * MINUTE_US)
    await toggleLink(deps(), CALLER, 'a')
    await hears('a')
    clock.advance(31 * MINUTE_US)
    await hears('all')
    await toggleLink(deps(), CALLER, 'b')
    await hears('b')
  })

  test('hears again what it could not hear to its end', async () => {
    await watch.stop()
    let tries = 0
    begin(reader, async () => {
      if (++tries < 3) throw new Error('Not now.')
    })
    await hears('all')
    await blockHost({ ...deps(), blocks: { changed: async () => {} } }, { host: 'example.net', reason: '' })
    await hears('blocks')
    expect(tries).toBe(3)
  })

  test('asks no more, and says nothing, once it has stopped', async () => {
    let asked = 0
    await watch.stop()
    const counting: WatchedReader = {
      changesSince(since) {
        asked++
        return reader.changesSince(since)
      },
      onNews: reader.onNews,
    }
    begin(counting)
    await hears('all')
    await watch.stop()
    const before = asked
    await toggleLink(deps(), CALLER, 'a')
    await Bun.sleep(600)
    expect([asked, heard, log.errors()]).toEqual([before, [], []])
  })

  test('begins anew when another server has taken over', async () => {
    const standby = await PostgresServer.start({
      settings: { ...FAST, hot_standby: 'on' },
      of: await testPostgres(),
    })
    try {
      await toggleLink(deps(), CALLER, 'a')
      await hears('a')
      // Still a standby: it cannot say where the others are.
      network.pointTo(standby.port)
      await isAway(true)
      await standby.promote()
      await hears('all')
      await isAway(false)
      await standby.run(`UPDATE links SET is_active = 1 - is_active WHERE code = 'b'`, database)
      await hears('b')
    } finally {
      network.pointTo((await testPostgres()).port)
      await watch.stop()
      await standby.remove()
    }
  })
})

type WatchedReader = Pick<PostgresReader, 'changesSince' | 'onNews'>

function begin(watched: WatchedReader, onBlocks = async () => {}): void {
  heard = []
  watch = new ChangeWatch(
    { reader: watched, clock, log },
    {
      onLinks: (codes) => void heard.push(...codes),
      async onBlocks() {
        await onBlocks()
        heard.push('blocks')
      },
      onAll: async () => void heard.push('all'),
    },
  )
}

/** All that has been heard since the last time, in any order. */
async function hears(...expected: string[]): Promise<void> {
  await eventually(
    async () => heard.length,
    (count) => count >= expected.length,
  )
  expect(heard.sort()).toEqual(expected)
  heard = []
}

async function isAway(expected: boolean): Promise<void> {
  const found = await eventually(
    async () => watch.isAway,
    (isAway) => isAway === expected,
  )
  expect(found).toBe(expected)
}

const deps = () => ({ db: store.db, clock, changes: { changed() {} } })

const edit = ({
  destination,
  title,
  isActive,
}: {
  destination?: string
  title?: string
  isActive?: boolean
}): LinkEdit => ({
  destination: destination === undefined ? undefined : { originalUrl: destination, targetUrl: destination },
  title,
  isActive,
})
