import { expect, setDefaultTimeout, test } from 'bun:test'
import { PLAIN_ROUTE } from '../rigs/plain-route.ts'
import { StoreUnavailable } from '../../src/errors/store-unavailable.ts'
import { defaultKey } from '../../src/links/link-key.ts'
import { returnOpening, spendOpening } from '../../src/links/link-openings.ts'
import type { LinkRoute } from '../../src/links/routes/link-route.ts'
import { LimitedOpenings } from '../../src/redirect/limited-openings.ts'
import type { VisitResponse } from '../../src/redirect/visit-response.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedDatabase } from './simulated-database.ts'
import { type Fault, type PlannedFault, SimulatedProcess } from './simulated-process.ts'

// Visitors of links with `max_clicks` on several nodes, whose processes and store have faults chosen by a seed.

setDefaultTimeout(120_000)

const SEEDS = Number(process.env.LIMIT_SEEDS ?? 500)

const LINK_IDS = [1, 2]
const FAULTS = ['fail', 'fail after doing it', 'roll back', 'die before', 'die after'] satisfies Fault[]
const REDIRECT: VisitResponse = { status: 302, location: 'https://example.com/', headers: {}, body: '' }
const REFUSED: VisitResponse = { status: 503, headers: {}, body: '' }

/** What happened to one link. `lostMax`: visitors who may have spent an opening in vain. */
type Tally = { max: number; led: number; lostMax: number }

class LimitSimulation {
  readonly #random: SeededRandom
  readonly #database: SimulatedDatabase
  readonly tallies: Map<number, Tally>
  #nowMs = 0

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
    this.#database = new SimulatedDatabase(this.#random.fork(), { keepsCommits: true })
    this.tallies = new Map(
      LINK_IDS.map((id) => [id, { max: this.#random.between(1, 12), led: 0, lostMax: 0 }]),
    )
    const { database } = this.#database
    for (const [id, { max }] of this.tallies)
      database.run(
        `INSERT INTO links (id, account_id, code, svc_id, original_url, title, is_active, created_at, updated_at, max_clicks)
         VALUES (${id}, 1, 'link-${id}', 'svc_${id}', 'https://example.com/', '', 1, 0, 0, ${max})`,
      )
    this.#database.restore(database.serialize())
  }

  /** Nodes that are killed or stop, and then a healthy one that spends what is left. */
  async perform(): Promise<void> {
    for (let round = this.#random.between(1, 3); round > 0; round--) {
      const nodes = Array.from({ length: this.#random.between(1, 3) }, () => this.#newFaults())
      await Promise.all(nodes.map((faults) => this.#runNode(faults, 8)))
      if (this.#random.chance(0.3)) this.#database.losePower()
    }
    await this.#runNode([], 13)
  }

  openedOf(linkId: number): number {
    const row = this.#database.database
      .query('SELECT opened FROM link_openings WHERE link_id = ?')
      .get(linkId) as { opened: number } | null
    return row?.opened ?? 0
  }

  close(): void {
    this.#database.close()
  }

  async #runNode(faults: readonly PlannedFault[], visitorsOfLink: number): Promise<void> {
    const node = new SimulatedProcess(this.#random.fork(), faults, { onCall() {} })
    const { store, settle } = this.#database.connect(node)
    const spent = async (linkId: number, write: Promise<boolean | void>) => {
      try {
        return (await write) === true
      } catch {
        if (!node.isGone) this.tallies.get(linkId)!.lostMax++
        throw new StoreUnavailable('As planned.')
      }
    }
    const openings = new LimitedOpenings(
      {
        spend: (linkId) => spent(linkId, spendOpening(store.db, linkId)),
        giveBack: (linkId) => void spent(linkId, returnOpening(store.db, linkId)).catch(() => {}),
      },
      { monotonicMs: () => (this.#nowMs += 100) },
    )
    let isIdle = false
    // Of each link, whoever is on the way when it ends may lose one opening.
    node.atEnd(() => isIdle || this.tallies.forEach((tally) => tally.lostMax++))
    const routes = LINK_IDS.map(newRoute)
    const visits = routes.flatMap((route) =>
      Array.from({ length: visitorsOfLink }, () =>
        this.#visit({ node, openings, isHealthy: faults.length === 0 }, route),
      ),
    )
    const allVisits = Promise.allSettled(visits).then(settle)
    await Promise.race([node.gone, allVisits])
    isIdle = true
    node.end()
  }

  async #visit(
    { node, openings, isHealthy }: { node: SimulatedProcess; openings: LimitedOpenings; isHealthy: boolean },
    route: LinkRoute,
  ): Promise<void> {
    await node.pause(isHealthy ? 1 : 30)
    await openings.open(route, async () => {
      await node.pause(4)
      if (node.isGone) return new Promise<never>(() => {})
      if (!isHealthy && this.#random.chance(0.2)) return REFUSED
      this.tallies.get(route.linkId)!.led++
      return REDIRECT
    })
  }

  #newFaults(): PlannedFault[] {
    return Array.from({ length: this.#random.between(1, 4) }, () => ({
      fault: this.#random.pick(FAULTS),
      operation: this.#random.pick(['begin', 'statement', 'commit', undefined] as const),
      skip: this.#random.below(20),
      times: this.#random.pick([1, 1, 3]),
    }))
  }
}

const newRoute = (linkId: number): LinkRoute => ({
  ...PLAIN_ROUTE,
  ...defaultKey(`link-${linkId}`),
  linkId,
})

test(`in ${SEEDS} runs, no link leads too many visitors on, and each end of a node costs it one opening at most`, async () => {
  let [ledOfAll, lostOfAll] = [0, 0]
  for (let seed = 1; seed <= SEEDS; seed++) {
    const simulation = new LimitSimulation(seed)
    await simulation.perform()
    for (const [id, { max, led, lostMax }] of simulation.tallies) {
      const opened = simulation.openedOf(id)
      const isKept = led <= opened && opened === max && opened - led <= lostMax
      expect({ seed, max, opened, led, lostMax, isKept }).toMatchObject({ isKept: true })
      ledOfAll += led
      lostOfAll += opened - led
    }
    simulation.close()
  }
  // Something was lost, and much more was not.
  expect(lostOfAll).toBeGreaterThan(0)
  expect(ledOfAll).toBeGreaterThan(3 * lostOfAll)
})
