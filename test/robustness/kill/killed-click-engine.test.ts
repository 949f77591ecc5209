import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tidyClickFiles } from '../../../src/clicks/parquet/tidy-click-files.ts'
import { DAY_US } from '../../../src/runtime/clock.ts'
import { type ClickStoreRig, START_US, useClickStore } from '../../rigs/clicks/click-store-rig.ts'
import { ATTEMPTS_MAX, KILLS } from '../../rigs/program/kills.ts'

/** Of the time that closing and rewriting take, as many parts. */
const MOMENTS = 10
/** More than any of the calls takes. */
const STEPS_MAX = 60

const store = useClickStore()

test('an engine that is killed before any step of closing loses and doubles nothing', async () => {
  const { rig } = store
  rig.add([{}, { clicked_at: START_US + DAY_US }, {}])
  const deaths = await dieAtEachStep(rig, () => rig.closeUpTo())
  expect(deaths).toBeGreaterThan(10)
  await expectWhole(rig, { clicks: 3, open: 0 })
})

test.each([false, true])(
  'an engine that is killed before any step of rewriting files does the same (coarse: %p)',
  async (coarsens) => {
    const { rig } = store
    rig.add([{}, { clicked_at: START_US + DAY_US }, {}])
    const names = [...(await rig.closeUpTo(2)), ...(await rig.closeUpTo(3))]
    const deaths = await dieAtEachStep(rig, () => rig.rewrite({ names, coarsens }))
    expect(deaths).toBeGreaterThan(5)
    expect(await rig.files()).toHaveLength(1)
    await expectWhole(rig, { clicks: 3, open: 0 })
  },
)

test('an engine that is killed at any moment of closing and rewriting does the same', async () => {
  const { rig } = store
  let clicks = 0
  let kills = 0
  let wholeMs = 0
  for (let attempt = 0; kills < KILLS && attempt < ATTEMPTS_MAX; attempt++) {
    clicks += rig.add(
      Array.from({ length: 2_000 }, (_, i) => ({ link_id: i % 300, referrer: `${i % 70}` })),
    ).length
    const startedMs = performance.now()
    const work = Promise.allSettled([closeAndRewrite(rig)])
    if (attempt % MOMENTS === 0) {
      // The machine says how long it takes at the moment.
      await work
      wholeMs = performance.now() - startedMs
    }
    await Bun.sleep((wholeMs * (attempt % MOMENTS)) / MOMENTS)
    rig.killEngine()
    const [outcome] = await work
    if (outcome!.status === 'rejected') kills++
    rig.engine = rig.newEngine()
    await expectWhole(rig, { clicks })
  }
  expect(kills).toBe(KILLS)
})

async function closeAndRewrite(rig: ClickStoreRig): Promise<void> {
  await rig.closeUpTo()
  await rig.rewrite({ names: (await rig.files()).map(({ name }) => name) })
}

/** Does the work with engines that die one step later each, until one survives it. Returns how many have died. */
async function dieAtEachStep(rig: ClickStoreRig, work: () => Promise<unknown>): Promise<number> {
  const script = join(import.meta.dir, '../../rigs/program/killed-engine.script.ts')
  const clicks = await rig.total()
  const [{ open }] = rig.database.query('SELECT count(*) AS open FROM clicks').all() as [{ open: number }]
  for (let step = 1; step < STEPS_MAX; step++) {
    await rig.engine.close()
    rig.engine = rig.newEngine({ command: [process.execPath, script, String(step), rig.dataDir] })
    const [outcome] = await Promise.allSettled([work()])
    const { engine } = rig
    rig.engine = rig.newEngine()
    await engine.close()
    if (outcome!.status === 'fulfilled') return step - 1
    expect(outcome).toMatchObject({ reason: { code: 'away' } })
    await expectWhole(rig, { clicks, open })
  }
  throw new Error('The work never ends.')
}

/** Before and after what a start does. */
async function expectWhole(rig: ClickStoreRig, expected: { clicks: number; open?: number }): Promise<void> {
  expect(await rig.total()).toBe(expected.clicks)
  expect((await tidyClickFiles(rig.store, rig.folder)).missing).toEqual([])
  expect(await rig.total()).toBe(expected.clicks)
  if (expected.open !== undefined)
    expect(rig.database.query('SELECT count(*) AS open FROM clicks').all()).toEqual([{ open: expected.open }])
  const listed = rig.database.query('SELECT name FROM click_files ORDER BY name').values().flat()
  expect(
    readdirSync(rig.folder)
      .filter((name) => name !== 'duckdb.tmp' && name !== 'trash')
      .sort(),
  ).toEqual(listed as string[])
}
