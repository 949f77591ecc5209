import { PLAIN_ROUTE } from '../rigs/redirect/plain-route.ts'
import { defaultKey } from '../../src/links/link-key.ts'
import type { LinkRoute } from '../../src/links/routes/link-route.ts'
import type { LimitedOpenings } from '../../src/redirect/limited-openings.ts'
import type { VisitResponse } from '../../src/redirect/visit-response.ts'
import { openedOf, OpeningLedger } from './opening-ledger.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedDatabase } from './simulated-database.ts'
import { type Fault, type PlannedFault, SimulatedProcess } from './simulated-process.ts'

const LINK_IDS = [1, 2]
const FAULTS = ['fail', 'fail after doing it', 'roll back', 'die before', 'die after'] satisfies Fault[]
const REDIRECT: VisitResponse = { status: 302, location: 'https://example.com/', headers: {}, body: '' }
const REFUSED: VisitResponse = { status: 503, headers: {}, body: '' }

/** Visitors of links with `max_clicks` on several nodes, whose processes and store have faults chosen by a seed. */
export class LimitSimulation {
  readonly #random: SeededRandom
  readonly #database: SimulatedDatabase
  readonly #limits: ReadonlyMap<number, number>
  readonly #ledger: OpeningLedger
  #nowMs = 0

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
    this.#limits = new Map(LINK_IDS.map((id) => [id, this.#random.between(1, 12)]))
    this.#ledger = new OpeningLedger(this.#limits)
    const options = { keepsCommits: true, limits: this.#limits }
    this.#database = new SimulatedDatabase(this.#random.fork(), options)
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

  /** What is wrong, and how many visitors were led on of all that the links may lead on. */
  get end(): { broken: string[]; led: number; max: number } {
    const { database } = this.#database
    const broken = this.#ledger.violations(database)
    for (const [id, max] of this.#limits)
      if (openedOf(database, id) !== max) broken.push(`Link ${id} has openings left.`)
    return {
      broken,
      led: this.#ledger.led,
      max: [...this.#limits.values()].reduce((sum, each) => sum + each),
    }
  }

  close(): void {
    this.#database.close()
  }

  async #runNode(faults: readonly PlannedFault[], visitorsOfLink: number): Promise<void> {
    const node = new SimulatedProcess(this.#random.fork(), faults, { onCall() {} })
    const { store, settle } = this.#database.connect(node)
    const clock = { monotonicMs: () => (this.#nowMs += 100), nowUs: () => this.#nowMs * 1000 }
    const openings = this.#ledger.openingsOn({ node, db: store.db, clock, noteFailure() {} })
    const routes = LINK_IDS.map(newRoute)
    const visits = routes.flatMap((route) =>
      Array.from({ length: visitorsOfLink }, () =>
        this.#visit({ node, openings, isHealthy: faults.length === 0 }, route),
      ),
    )
    const allVisits = Promise.allSettled(visits).then(settle)
    await Promise.race([node.gone, allVisits])
    node.end()
  }

  async #visit({ node, openings, isHealthy }: Node, route: LinkRoute): Promise<void> {
    await node.pause(isHealthy ? 1 : 30)
    await openings.open(route, async () => {
      await node.pause(4)
      if (node.isGone) return new Promise<never>(() => {})
      if (!isHealthy && this.#random.chance(0.2)) return REFUSED
      this.#ledger.noteLed(route.linkId)
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

function newRoute(linkId: number): LinkRoute {
  return {
    ...PLAIN_ROUTE,
    ...defaultKey(`link-${linkId}`),
    linkId,
  }
}

type Node = { node: SimulatedProcess; openings: Pick<LimitedOpenings, 'open'>; isHealthy: boolean }
