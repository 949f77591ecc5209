import { expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, startDashboardRig, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { EventStream, type StreamedEvent } from '../rigs/http/event-stream.ts'
import { withoutColumns } from '../rigs/store/broken-table.ts'
import { eventually } from '../rigs/eventually.ts'
import { FIREFOX, GOOGLEBOT, refusal } from '../specification/contract-rig.ts'
import { prepareClickMonths } from '../../src/store/engine-sql.ts'
import { aFact, insertFacts } from '../rigs/clicks/fact-rows.ts'

const rig = useDashboardRig()

const open = (code: string, userAgent = FIREFOX, Referer = 'https://news.example.org/a') =>
  rig.call('GET', `/${code}`, { headers: { 'User-Agent': userAgent, Referer } })
const clicksIn = (events: StreamedEvent[]) =>
  events.filter(({ event }) => event === 'clicks').flatMap(({ data }) => data.clicks)
const latestTotals = (events: StreamedEvent[]) => events.findLast(({ event }) => event === 'totals')?.data

test('a listening page receives the clicks of its account as they are counted, and no others', async () => {
  const [ann, bob] = [(await rig.user()).browser, (await rig.user()).browser]
  await ann.succeed('POST', '/links', { url: 'https://example.com/', custom_code: 'of-ann', title: 'Ann’s' })
  await bob.succeed('POST', '/links', { url: 'https://example.com/', custom_code: 'of-bob' })
  await open('of-ann')
  await eventually(
    () => ann.succeed('GET', '/overview'),
    ({ overview }) => overview.total_clicks === 1,
  )
  const [stream, second] = [await EventStream.open(rig.url, ann), await EventStream.open(rig.url, bob)]
  expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
  ])
  await stream.until((events) => latestTotals(events)?.total_clicks === 1)
  expect(clicksIn(stream.events)).toEqual([])
  await open('of-ann')
  await open('of-ann', GOOGLEBOT)
  await open('of-bob')
  const events = await stream.until((all) => clicksIn(all).length > 0 && latestTotals(all).bot_clicks === 1)
  // Bots are in the totals only.
  expect(clicksIn(events)).toEqual([
    {
      id: expect.any(Number),
      short_code: 'of-ann',
      domain: new URL(rig.config.baseUrl).host,
      title: 'Ann’s',
      clicked_at: expect.any(String),
      country_code: null,
      country: 'Unknown',
      city: null,
      device: 'desktop',
      browser: 'Firefox',
      operating_system: 'Linux',
      referrer: 'news.example.org',
      via: 'link',
    },
  ])
  expect(latestTotals(events)).toEqual({ total_clicks: 2, bot_clicks: 1 })
  const heard = await second.until((all) => clicksIn(all).length === 1)
  expect(clicksIn(heard).map(({ short_code: code }) => code)).toEqual(['of-bob'])
  await Promise.all([stream.leave(), second.leave()])
})

test('a page receives its one click during a burst of another account, which receives its latest hundred', async () => {
  const users = [await rig.user(), await rig.user()] as const
  const [ann, bob] = [users[0].browser, users[1].browser]
  const streams = [await EventStream.open(rig.url, ann), await EventStream.open(rig.url, bob)] as const
  const row = (workspace_id: number, clicked_at: number) =>
    aFact({ link_id: 999_999, workspace_id, clicked_at })
  const burst = Array.from({ length: 300 }, (_, i) => row(users[0].workspaceId, i))
  await prepareClickMonths(rig.store.relaxedDb, [0])
  // In one statement, so that all of them are seen at once.
  await rig.store.db
    .insertInto('clicks')
    .values([...burst, row(users[1].workspaceId, 300), ...burst])
    .execute()
  const heard = clicksIn(await streams[1].until((events) => clicksIn(events).length > 0))
  expect(heard).toHaveLength(1)
  const burstHeard = clicksIn(await streams[0].until((events) => clicksIn(events).length > 0))
  expect(burstHeard).toHaveLength(100)
  expect(burstHeard.at(-1).clicked_at).toBe('1970-01-01T00:00:00.000299Z')
  await Promise.all(streams.map((stream) => stream.leave()))
})

test('clicks of a moment when the store could not be read arrive afterwards', async () => {
  const { browser, workspaceId } = await rig.user()
  const stream = await EventStream.open(rig.url, browser)
  await stream.until((events) => latestTotals(events) !== undefined)
  await withoutColumns(rig.store.db, 'members', async () => {
    const place = { link_id: 999_999, workspace_id: workspaceId }
    await insertFacts(rig.store.relaxedDb, [aFact({ ...place, clicked_at: 400 })])
    // Two rounds of looking.
    await Bun.sleep(1_200)
  })
  const heard = clicksIn(await stream.until((events) => clicksIn(events).length > 0))
  expect(heard.map(({ clicked_at }) => clicked_at)).toEqual(['1970-01-01T00:00:00.000400Z'])
  await stream.leave()
})

test('a listening page is sent the role of its user when it changes, and nobody else’s', async () => {
  const owner = await rig.user()
  const [member, other] = [await memberOf(rig, owner, 'editor'), await memberOf(rig, owner, 'editor')]
  const stream = await EventStream.open(rig.url, member.browser)
  const second = await EventStream.open(rig.url, other.browser)
  await stream.until((events) => latestTotals(events) !== undefined)
  await owner.browser.succeed('PUT', `/members/${member.userId}`, { role: 'viewer' })
  const rolesIn = (events: StreamedEvent[]) => events.filter(({ event }) => event === 'session')
  const events = await stream.until((all) => rolesIn(all).length > 0)
  expect(rolesIn(events).map(({ data }) => data)).toEqual([{ role: 'viewer', running_import: null }])
  expect(rolesIn(second.events)).toEqual([])
  await stream.leave()
  await second.leave()
})

test('without stored clicks a page still receives the totals', async () => {
  const without = await startDashboardRig({ RAW_CLICK_DAYS: '0' })
  const { browser } = await without.user()
  await browser.succeed('POST', '/links', { url: 'https://example.com/', custom_code: 'counted' })
  const stream = await EventStream.open(without.url, browser)
  await stream.until((events) => latestTotals(events)?.total_clicks === 0)
  await without.call('GET', '/counted')
  await stream.until((events) => latestTotals(events).total_clicks === 1)
  expect(latestTotals(stream.events)).toEqual({ total_clicks: 1, bot_clicks: 0 })
  await stream.leave()
  await without.stop()
})

test('ten pages of an account listen at once; a closed page makes room', async () => {
  const { browser } = await rig.user()
  const streams = []
  for (let i = 0; i < 10; i++) streams.push(await EventStream.open(rig.url, browser))
  expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const { status, body, headers } = await browser.request('GET', '/live')
  expect([status, body, headers.get('retry-after')]).toEqual([
    429,
    refusal('too_many_streams', 'Too many pages are listening at once: close some.'),
    '30',
  ])
  const other = await EventStream.open(rig.url, (await rig.user()).browser)
  expect(other.status).toBe(200)
  await streams[0]!.leave()
  const again = await eventually(
    () => EventStream.open(rig.url, browser),
    ({ status: now }) => now === 200,
  )
  expect(again.status).toBe(200)
  await Promise.all([...streams.slice(1), other, again].map((stream) => stream.leave()))
})

test('HEAD leaves no open stream of clicks or of an export', async () => {
  const { browser } = await rig.user()
  for (let i = 0; i < 12; i++) {
    for (const path of ['/live', '/export']) {
      const { status, text } = await browser.request('HEAD', path)
      expect([path, status, text]).toEqual([path, 200, ''])
    }
  }
  const stream = await EventStream.open(rig.url, browser)
  expect(stream.status).toBe(200)
  await stream.leave()
})

test('an idle stream outlasts the ten seconds after which silent connections are closed', async () => {
  const { browser } = await rig.user()
  const stream = await EventStream.open(rig.url, browser)
  await stream.heartbeats(3)
  expect(stream.hasEnded).toBe(false)
  await stream.leave()
})

test('a page receives nothing after its browser was signed out elsewhere', async () => {
  const { browser, email } = await rig.user()
  const stream = await EventStream.open(rig.url, browser)
  const elsewhere = rig.browser()
  await elsewhere.succeed('POST', '/session', { email, password: PASSWORD })
  await elsewhere.succeed('DELETE', '/sessions')
  await stream.ended
  expect((await browser.request('GET', '/live')).status).toBe(401)
})

test('listening pages do not delay a shutdown, and see their stream end', async () => {
  const ending = await startDashboardRig()
  const { browser } = await ending.user()
  const stream = await EventStream.open(ending.url, browser)
  await ending.stop()
  await stream.ended
  expect(stream.hasEnded).toBe(true)
})
