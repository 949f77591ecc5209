import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cannotMove,
  type Engine,
  ENGINES,
  move,
  MoveRig,
  nameFor,
  opened,
  refusalOf,
  within,
} from '../../../test/rigs/store/move-rig.ts'
import { EVERY_TABLE } from '../../../test/rigs/store/every-table.data.ts'
import { KILLS } from '../../../test/rigs/program/kills.ts'
import { startScript } from '../../../test/rigs/program/run-script.ts'
import { MovedStore } from '../store-identity.ts'
import type { MoveLocation } from './move-location.ts'

let rig: MoveRig

/** From each engine half of them in the middle; the first ones come before anything is changed. */
const HITS = Math.ceil(KILLS / 2)
const SOME_KILLS = Math.ceil(HITS * 1.2)

describe.skipIf(cannotMove())('a move that was killed', () => {
  beforeAll(async () => {
    rig = await MoveRig.start()
  })

  afterAll(() => rig.remove())

  describe.each(ENGINES)('from %s', (engine) => {
    test('at any statement finishes when it is run again; never do both take writes', async () => {
      const count = await statementsOf(engine)
      const seen = { untouched: 0, begun: 0, 'in between': 0, finished: 0 }
      const kills = killsOf(count)
      for (let first = 0; first < kills.length; first += AT_ONCE) {
        const some = kills.slice(first, first + AT_ONCE).map((nth) => killAndFinish(engine, nth))
        for (const state of await Promise.all(some)) seen[state]++
      }
      expect(seen.begun + seen['in between']).toBeGreaterThanOrEqual(HITS)
      expect(Math.min(seen.untouched, seen['in between'])).toBeGreaterThan(0)
      console.log(`move from ${engine}: ${seen.begun + seen['in between']} kills in the middle`, seen)
    }, 600_000)
  })
})

/** Each is mostly waiting, for processes and connections. */
const AT_ONCE = 2

/** On SQLite with clicks in files. */
const places = async (engine: Engine): Promise<[from: MoveLocation, to: MoveLocation]> =>
  engine === 'sqlite' ? [await rig.closedPlace(), await rig.emptyPlace('postgres')] : rig.places(engine)

async function statementsOf(engine: Engine): Promise<number> {
  const [from, to] = await places(engine)
  const child = startScript('killed-move.script.ts', nameFor(from), nameFor(to), '0')
  return Number(/moved by (\d+) statements/.exec(await child.stdout.text())?.[1])
}

/** The last ones, where the marks are made, and some of all others. */
function killsOf(count: number): number[] {
  const some = Array.from({ length: SOME_KILLS }, (_, i) => 1 + Math.floor((i * count) / SOME_KILLS))
  return [...new Set([...some, ...[5, 4, 3, 2, 1, 0].map((left) => count - left)])]
}

type AfterKill = 'untouched' | 'begun' | 'in between' | 'finished'

/** Who takes writes: the source, nobody, or the target. */
async function stateAfterKill(from: MoveLocation, to: MoveLocation): Promise<AfterKill> {
  const source = await accountsOf(from)
  const destination = await accountsOf(to)
  if (source === 3) return destination === 0 ? 'untouched' : only('begun', destination === 'UnfinishedMove')
  if (destination === 'UnfinishedMove') return only('in between', source === 'MovedStore')
  return only('finished', source === 'MovedStore' && destination === 3)
}

function only(state: AfterKill, isSo: boolean): AfterKill {
  if (!isSo) throw new Error('Both take writes, or neither ever will.')
  return state
}

const accountsOf = (location: MoveLocation): Promise<number | string> =>
  within(location, async ({ db }) => (await db.selectFrom('workspaces').select('id').execute()).length).catch(
    (error: Error) => error.constructor.name,
  )

/** Runs it once more; what the kill had left. */
async function killAndFinish(engine: Engine, nth: number): Promise<AfterKill> {
  const [from, to] = await places(engine)
  const child = startScript('killed-move.script.ts', nameFor(from), nameFor(to), String(nth))
  const complaints = await child.stderr.text()
  await child.exited
  expect([nth, child.signalCode, complaints]).toEqual([nth, 'SIGKILL', ''])
  const state = await stateAfterKill(from, to)
  const takesWrites = state === 'untouched' || state === 'begun'
  if (takesWrites)
    await within(from, ({ db }) => db.insertInto('seen_visits').values({ visit: nth }).execute())
  const { wasFinished } = await move(from, to)
  expect(wasFinished).toBe(state === 'finished')
  const clicks = await within(to, ({ db }) => db.selectFrom('clicks').select('id').orderBy('id').execute())
  expect(clicks.map(({ id }) => id)).toEqual(EVERY_TABLE.clicks.map(({ id }) => id as number))
  const visits = await within(to, ({ db }) => db.selectFrom('seen_visits').select('visit').execute())
  expect(visits.some(({ visit }) => visit === nth)).toBe(takesWrites)
  expect(await refusalOf(opened(from))).toBeInstanceOf(MovedStore)
  return state
}
