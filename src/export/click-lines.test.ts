import { describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClickStoreRig, START_US, useClickStore } from '../../test/rigs/clicks/click-store-rig.ts'
import { withPlugin } from '../../test/rigs/program/with-plugin.ts'
import { mergeNextClicks } from '../clicks/facts/merge-clicks.ts'
import { DAY_US } from '../runtime/clock.ts'
import { openClickLines } from './click-lines.ts'
import type { ExportLine } from './pages.ts'
import { listClickFiles } from '../clicks/parquet/click-files.ts'
import { takeClickSnapshot } from './table-clicks.ts'

const store = useClickStore()

describe('clicks of an export', () => {
  test('are those of the workspace: file by file, then those of the table in the order of counting', async () => {
    const { rig } = store
    addNamed(rig, ['b', 'a', 'of another'], (name) => ({
      workspace_id: name === 'of another' ? 2 : 1,
      link_id: name === 'b' ? 2 : 1,
    }))
    await rig.closeUpTo()
    addNamed(rig, ['of no link'], () => ({ link_id: 0, clicks: 0 }))
    addNamed(rig, ['the day before'], () => ({ clicked_at: START_US - DAY_US }))
    await rig.closeUpTo()
    addNamed(rig, ['z', 'y'])
    expect(await namesOf(await openLines(rig))).toEqual(['the day before', 'a', 'b', 'z', 'y'])
    expect((await Array.fromAsync(await openLines(rig, 2))).flat()).toEqual([
      {
        type: 'clicks',
        link_id: 1,
        clicked_at: '2026-04-20T12:00:00.000000Z',
        country: '',
        device: '',
        browser: '',
        operating_system: '',
        referrer: 'of another',
        language: '',
        via: 'link',
        variant: '',
        alias: '',
        region: '',
        city: '',
        utm: '',
        clicks: 1,
        unique_visitors: 1,
        bots: 0,
      },
    ])
  })

  test('are each there once, though all are moved, merged and written into other files while they are read', async () => {
    const { rig } = store
    const names = numbered(0, 9_000)
    addNamed(rig, names.slice(0, 5_000))
    await rig.closeUpTo()
    addNamed(rig, names.slice(5_000))
    const lines = await openLines(rig)
    const first = await lines.next()
    await mergeNextClicks(rig.store.relaxedDb, { nowUs: START_US + 9 * DAY_US, keepDays: 1 })
    addNamed(rig, ['later'])
    await rig.closeUpTo()
    await rig.rewrite({ names: (await rig.files()).map(({ name }) => name), coarsens: true })
    const rest = await namesOf(lines)
    expect([...namesIn(first.value as ExportLine[]), ...rest].toSorted()).toEqual(names.toSorted())
  })

  test('are each there once, at whatever statement they are moved into a file', async () => {
    const { rig } = store
    for (let nth = 1; nth <= STATEMENTS; nth++) {
      addNamed(rig, numbered(10 * nth, 10 * nth + 10))
      const names = await namesOf(await openLinesWith(rig, nth, () => rig.closeUpTo()))
      expect(names.toSorted()).toEqual(numbered(10, 10 * nth + 10).toSorted())
    }
  })

  test('are each there once, at whatever statement they are merged', async () => {
    const { rig } = store
    const merge = () => mergeNextClicks(rig.store.relaxedDb, { nowUs: START_US + 9 * DAY_US, keepDays: 1 })
    for (let nth = 1; nth <= STATEMENTS + 1; nth++) {
      // Of which the first 5,000 are merged into one, with the id of the first.
      rig.add(Array.from({ length: 6_000 }, () => ({ link_id: nth })))
      const lines = (await Array.fromAsync(await openLinesWith(rig, nth, merge))).flat()
      const ofRound = lines.filter(({ link_id: linkId }) => linkId === nth)
      expect(ofRound.reduce((sum, { clicks }) => sum + (clicks as number), 0)).toBe(6_000)
      await rig.closeUpTo()
    }
  })

  test('that are more than are kept in memory are read later, and none if they have moved by then', async () => {
    const { rig } = store
    addNamed(rig, numbered(0, 5_000))
    const take = (keptPagesMax: number) =>
      takeClickSnapshot(rig.store.reportDb, 1, listClickFiles, keptPagesMax)
    const read = async (snapshot: Awaited<ReturnType<typeof take>>) =>
      (await Array.fromAsync(snapshot.clicks)).flat().map(({ referrer }) => referrer)
    for (const keptPagesMax of [0, 1, 2, 3]) {
      expect(await read(await take(keptPagesMax))).toEqual(numbered(0, 5_000))
    }
    const [few, all] = [await take(1), await take(3)]
    await rig.closeUpTo()
    await expect(read(few)).rejects.toThrow('Clicks were moved or merged before they were exported.')
    expect(await read(all)).toEqual(numbered(0, 5_000))
  })

  test.each([
    ['missing', (path: string) => rmSync(path)],
    ['damaged', (path: string) => writeFileSync(path, 'PAR1')],
  ])('of a file that is %s are left out, and there is an error at the end', async (_, spoil) => {
    const { rig } = store
    const days = [1, 2, 3]
    for (const day of days) addNamed(rig, [`day ${day}`], () => ({ clicked_at: START_US + day * DAY_US }))
    const files = await rig.closeUpTo()
    addNamed(rig, ['open'])
    spoil(join(rig.folder, files[1]!))
    const lines = await openLines(rig)
    const names: unknown[] = []
    const reading = (async () => {
      for await (const page of lines) names.push(...namesIn(page))
    })()
    await expect(reading).rejects.toThrow(`Files of clicks are gone or damaged: ${files[1]}.`)
    expect(names).toEqual(['day 1', 'day 3', 'open'])
  })

  test('need an engine only where there are files; they are refused as long as it is away', async () => {
    const { rig } = store
    const engine = rig.newEngine({ command: ['false'] })
    const deps = { db: rig.store.reportDb, callEngine: engine.call }
    addNamed(rig, ['a', 'b'])
    expect(await namesOf(await openClickLines(deps, 1))).toEqual(['a', 'b'])
    expect(rig.logged).toEqual([])
    await rig.closeUpTo(1)
    await expect(openClickLines(deps, 1)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'Clicks cannot be read at the moment. Try again in a few seconds.',
      retryAfterSeconds: 5,
    })
    expect(rig.logged).toHaveLength(1)
  })
})

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `click ${from + i}`)

/** Each click has a referrer of its own. */
const addNamed = (
  rig: ClickStoreRig,
  names: readonly string[],
  othersOf: (name: string) => Parameters<ClickStoreRig['add']>[0][number] = () => ({}),
) => rig.add(names.map((referrer) => ({ referrer, ...othersOf(referrer) })))

const openLines = (rig: ClickStoreRig, workspaceId = 1) =>
  openClickLines({ db: rig.store.reportDb, callEngine: rig.engine.call }, workspaceId)

/** Of a snapshot: what was merged, the files, the first and last id, the clicks, and the first two again. */
const STATEMENTS = 6

/** Changes something, once, right after the n-th statement. */
function openLinesWith(rig: ClickStoreRig, nth: number, change: () => Promise<unknown>) {
  let count = 0
  const db = withPlugin(rig.store.reportDb, {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (++count === nth) await change()
      return result
    },
  })
  return openClickLines({ db, callEngine: rig.engine.call }, 1)
}

const namesIn = (lines: readonly ExportLine[]) => lines.map(({ referrer }) => referrer as string)

const namesOf = async (pages: AsyncGenerator<ExportLine[]>) => namesIn((await Array.fromAsync(pages)).flat())
