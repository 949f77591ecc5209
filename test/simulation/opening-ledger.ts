import type { Database } from 'bun:sqlite'
import { StoreUnavailable } from '../../src/errors/store-unavailable.ts'
import { isLimitReached, returnOpening, spendOpening } from '../../src/links/link-openings.ts'
import { LimitedOpenings } from '../../src/redirect/limited-openings.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { DurableDb } from '../../src/store/handles.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** What happened to one link. `lostMax`: openings that may have been spent in vain. */
type Tally = { max: number; led: number; lostMax: number }

type NodeDeps = {
  node: SimulatedProcess
  db: DurableDb
  clock: Pick<Clock, 'monotonicMs' | 'nowUs'>
  noteFailure(error: unknown): void
}

type Openings = Pick<LimitedOpenings, 'open' | 'isExhausted' | 'checkExhausted'>

/** Links with a limit, as their visitors saw them. Each failed write and each death of a node excuses one opening of a link. */
export class OpeningLedger {
  #tallies: Map<number, Tally>

  constructor(limits: ReadonlyMap<number, number>) {
    this.#tallies = new Map([...limits].map(([id, max]) => [id, { max, led: 0, lostMax: 0 }]))
  }

  /** The program's own, on a node. */
  openingsOn({ node, db, clock, noteFailure }: NodeDeps): Openings {
    const underWay = new Map<number, number>([...this.#tallies.keys()].map((id) => [id, 0]))
    const during = async <T>(linkId: number, act: () => Promise<T>): Promise<T> => {
      underWay.set(linkId, underWay.get(linkId)! + 1)
      // Later: until the visitor has the response, a death takes the opening with it.
      return act().finally(() => setImmediate(() => underWay.set(linkId, underWay.get(linkId)! - 1)))
    }
    const write = async (linkId: number, act: () => Promise<boolean | void>) => {
      try {
        return (await act()) === true
      } catch (error) {
        noteFailure(error)
        if (!node.isGone) this.#tallies.get(linkId)!.lostMax++
        throw new StoreUnavailable('As planned.')
      }
    }
    const read = async (ask: () => Promise<boolean>) => {
      try {
        return await ask()
      } catch (error) {
        noteFailure(error)
        throw new StoreUnavailable('As planned.')
      }
    }
    const openings = new LimitedOpenings(
      {
        spend: (linkId) => write(linkId, () => spendOpening({ db, clock }, linkId)),
        giveBack: (linkId) =>
          during(linkId, () => write(linkId, () => returnOpening(db, linkId))).then(
            () => {},
            () => {},
          ),
        isLimitReached: (linkId) => read(() => isLimitReached(db, linkId)),
      },
      clock,
    )
    node.atEnd(() => {
      // Visitors of a link follow each other, so one at most had spent an opening.
      for (const [linkId, count] of underWay) if (count > 0) this.#tallies.get(linkId)!.lostMax++
    })
    return {
      open: (route, redirect) => during(route.linkId, () => openings.open(route, redirect)),
      isExhausted: (route) => openings.isExhausted(route),
      checkExhausted: (route) => openings.checkExhausted(route),
    }
  }

  noteLed(linkId: number): void {
    this.#tallies.get(linkId)!.led++
  }

  /** Whether nobody else may be led on, or some openings may be lost. */
  mayBeExhausted(linkId: number): boolean {
    const { max, led, lostMax } = this.#tallies.get(linkId)!
    return led + lostMax >= max
  }

  get led(): number {
    return [...this.#tallies.values()].reduce((sum, { led }) => sum + led, 0)
  }

  /** For when the database goes back to what it was now. */
  copy(): ReadonlyMap<number, Tally> {
    return new Map([...this.#tallies].map(([id, tally]) => [id, { ...tally }]))
  }

  restore(tallies: ReadonlyMap<number, Tally>): void {
    this.#tallies = new Map([...tallies].map(([id, tally]) => [id, { ...tally }]))
  }

  violations(database: Database): string[] {
    return [...this.#tallies].flatMap(([id, { max, led, lostMax }]) => {
      const opened = openedOf(database, id)
      if (led <= opened && opened <= max && opened - led <= lostMax) return []
      return [
        `Link ${id} led ${led} visitors on, and ${opened} of ${max} openings are spent, ${lostMax} excused.`,
      ]
    })
  }
}

export function openedOf(database: Database, linkId: number): number {
  const row = database.query('SELECT opened FROM link_openings WHERE link_id = ?').get(linkId)
  return (row as { opened: number } | null)?.opened ?? 0
}
