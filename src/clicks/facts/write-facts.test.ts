import { expect, test } from 'bun:test'
import { openBatchCounter } from '../../../test/rigs/clicks/batch-counter.ts'
import { aFact } from '../../../test/rigs/clicks/fact-rows.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { monthStartUs, QUARTER_US } from '../../runtime/clock.ts'

const store = useTestStore()

test('a click is a row with its time, all that is known of it, and whether it is a visitor’s first', async () => {
  const node = await openBatchCounter(store, 'a segment')
  const extras = { variant: '7', via: 'qr', language: 'pt', utm: 'utm_source=a', alias: 'old' } as const
  await node.count([
    aClick(1),
    aClick(2, { userAgent: 'Phone/2', country: '', referrer: '', extras }),
    aClick(1, { clickedAtUs: NOON_US + 1, linkId: 2 }),
    aClick(4, { userAgent: 'Bot/4' }),
  ])
  const onDesk = { country: 'DE', device: 'desktop', browser: 'Browser', os: '1', referrer: 'example.org' }
  const onPhone = { device: 'mobile', browser: 'Phone', os: '2' }
  const ofBot = { via: '', clicks: 0, visitors: 0, workspace_visitors: 0, bots: 1 }
  expect(await rows()).toEqual([
    aFact({ id: 1, ...onDesk }),
    aFact({ id: 2, ...onPhone, language: 'pt', via: 'qr', variant: '7', alias: 'old', utm: 'utm_source=a' }),
    aFact({ id: 3, ...onDesk, link_id: 2, clicked_at: NOON_US + 1, workspace_visitors: 0 }),
    aFact({ id: 4, ...ofBot }),
  ] as never)
})

test('of a bot there is its name, if that is a known one', async () => {
  const node = await openBatchCounter(store, 'a segment', {
    readUserAgent: (browser: string) => ({ isBot: true, device: 'other', browser, os: 'Unknown' }),
  })
  await node.count(['Googlebot', 'Chrome', 'Unknown'].map((userAgent) => aClick(1, { userAgent })))
  expect((await rows()).map(({ browser, device, bots }) => [browser, device, bots])).toEqual([
    ['Googlebot', '', 1],
    ['', '', 1],
    ['', '', 1],
  ])
})

test('a click may have the beginning of its quarter of an hour only', async () => {
  const node = await openBatchCounter(store, 'a segment', { hasExactTimes: false })
  await node.count([1, QUARTER_US + 1].map((after) => aClick(1, { clickedAtUs: NOON_US + after })))
  expect((await rows()).map(({ clicked_at: time }) => time - NOON_US)).toEqual([0, QUARTER_US])
})

test('clicks of any month are written', async () => {
  const node = await openBatchCounter(store, 'a segment')
  const times = [monthStartUs(0), monthStartUs(600) - 1, monthStartUs(600)]
  for (const clickedAtUs of times) await node.count([aClick(1, { clickedAtUs })])
  expect((await rows()).map(({ clicked_at: time }) => time)).toEqual(times)
})

const rows = () => store.db.selectFrom('clicks').selectAll().orderBy('id').execute()
