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
} from '../../../test/rigs/move-rig.ts'
import { startScript } from '../../../test/rigs/run-script.ts'
import { MovedStore } from '../store-identity.ts'
import type { MovePlace } from './move-place.ts'

let rig: MoveRig

async function statementsOf(engine: Engine): Promise<number> {
  const [from, to] = await rig.places(engine)
  const child = startScript('killed-move.script.ts', nameFor(from), nameFor(to), '0')
  return Number(/moved by (\d+) statements/.exec(await child.stdout.text())?.[1])
}

/** The last ones, where the marks are made, and some of all others; each of them takes most of a second. */
function killsOf(count: number): number[] {
  const some = Array.from({ length: SOME_KILLS }, (_, i) => 1 + Math.floor((i * count) / SOME_KILLS))
  return [...new Set([...some, ...[5, 4, 3, 2, 1, 0].map((left) => count - left)])]
}

/** `MOVE_KILLS=1000 bun test …` kills at every statement. */
const SOME_KILLS = Number(process.env.MOVE_KILLS ?? 7)

type AfterKill = 'untouched' | 'begun' | 'in between' | 'finished'

/** Who takes writes: the source, nobody, or the target. */
async function stateAfterKill(from: MovePlace, to: MovePlace): Promise<AfterKill> {
  const source = await accountsOf(from)
  const target = await accountsOf(to)
  if (source === 3) return target === 0 ? 'untouched' : only('begun', target === 'UnfinishedMove')
  if (target === 'UnfinishedMove') return only('in between', source === 'MovedStore')
  return only('finished', source === 'MovedStore' && target === 3)
}

function only(state: AfterKill, isSo: boolean): AfterKill {
  if (!isSo) throw new Error('Both take writes, or neither ever will.')
  return state
}

const accountsOf = (place: MovePlace): Promise<number | string> =>
  within(place, async ({ db }) => (await db.selectFrom('accounts').select('id').execute()).length).catch(
    (error: Error) => error.constructor.name,
  )

describe.skipIf(cannotMove())('a move that was killed', () => {
  beforeAll(async () => {
    rig = await MoveRig.start()
  })

  afterAll(() => rig.remove())

  describe.each(ENGINES)('from %s', (engine) => {
    test('at any statement finishes when it is run again; never do both take writes', async () => {
      const count = await statementsOf(engine)
      const seen = { untouched: 0, begun: 0, 'in between': 0, finished: 0 }
      for (const nth of killsOf(count)) {
        const [from, to] = await rig.places(engine)
        const child = startScript('killed-move.script.ts', nameFor(from), nameFor(to), String(nth))
        const complaints = await child.stderr.text()
        await child.exited
        expect([nth, child.signalCode, complaints]).toEqual([nth, 'SIGKILL', ''])
        const state = await stateAfterKill(from, to)
        seen[state]++
        if (state === 'untouched' || state === 'begun')
          await within(from, ({ db }) => db.insertInto('seen_visits').values({ visit: nth }).execute())
        const { wasFinished } = await move(from, to)
        expect(wasFinished).toBe(state === 'finished')
        const visits = await within(to, ({ db }) => db.selectFrom('seen_visits').select('visit').execute())
        expect(visits.some(({ visit }) => visit === nth)).toBe(state === 'untouched' || state === 'begun')
        expect(await refusalOf(opened(from))).toBeInstanceOf(MovedStore)
      }
      expect(seen.untouched).toBeGreaterThan(0)
      expect(seen.begun).toBeGreaterThan(2)
      expect(seen['in between']).toBeGreaterThan(0)
    }, 300_000)
  })
})
