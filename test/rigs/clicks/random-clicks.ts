import { DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import { DAY_US, HOUR_US, QUARTER_US } from '../../../src/runtime/clock.ts'
import type { Store } from '../../../src/store/open-store.ts'
import type { SeededRandom } from '../../simulation/seeded-random.ts'
import { type ClickStoreRig, START_US } from './click-store-rig.ts'
import { aFact, type FactRow, insertFacts } from './fact-rows.ts'

export const LINKS = 20
/** Each dimension has the first of these, a different number of each. */
export const TEXTS = [
  '',
  'DE',
  "O'Hara",
  '"; DROP TABLE clicks; --',
  '$1',
  '\\',
  '😀',
  '\u{fffd}',
  'é'.repeat(2_000),
]

const FIRST_DAYS = 4
const ROUND_US = 3 * HOUR_US
const LATE_CLICKS_MAX = 150
const NEW_CLICKS_MAX = 30
const ADDITIONS = 5

/** Where the same clicks are. */
type OtherStore = Pick<Store, 'relaxedDb'> & { forgetLink?(linkId: number): Promise<void> }

/** A history of clicks in a store that closes them, and the same clicks in the tables of other stores. */
export class RandomClicks {
  readonly #rig: ClickStoreRig
  readonly #others: readonly OtherStore[]
  readonly #random: SeededRandom
  #facts: FactRow[] = []
  #newFacts: FactRow[] = []
  #nextId = 1
  /** Of those that are written. */
  #lastId = 0
  #endUs = START_US + FIRST_DAYS * DAY_US

  constructor(rig: ClickStoreRig, others: readonly OtherStore[], random: SeededRandom) {
    this.#rig = rig
    this.#others = others
    this.#random = random
  }

  /** Clicks before `endUs` stay the same until the next round. */
  async beginRound(): Promise<{ facts: readonly FactRow[]; endUs: number }> {
    const facts = [...this.#newFacts, ...(await this.#add(LATE_CLICKS_MAX, START_US, this.#endUs))]
    for (const { relaxedDb } of this.#others) await insertFacts(relaxedDb, facts)
    this.#facts.push(...facts)
    this.#newFacts = []
    if (this.#random.chance(0.1)) await this.#forget(1 + this.#random.below(LINKS))
    const endUs = this.#endUs
    this.#endUs += ROUND_US
    return { facts: this.#facts, endUs }
  }

  /** Of the next round. */
  async addClicks(): Promise<void> {
    for (let addition = 0; addition < ADDITIONS; addition++)
      this.#newFacts.push(...(await this.#add(NEW_CLICKS_MAX, this.#endUs - ROUND_US, this.#endUs)))
  }

  /** Moves clicks between the table and files, which no answer shows. */
  async changeFiles({ canCoarsen }: { canCoarsen: boolean }): Promise<void> {
    if (this.#random.chance(0.4)) await this.#rig.closeUpTo(this.#lastId - this.#random.below(100))
    const names = (await this.#rig.files()).map(({ name }) => name).filter(() => this.#random.chance(0.3))
    const coarsens = canCoarsen && this.#random.chance(0.3)
    if (names.length > 0 && this.#random.chance(0.3)) await this.#rig.rewrite({ names, coarsens })
  }

  async #add(max: number, fromUs: number, toUs: number): Promise<FactRow[]> {
    const facts = Array.from({ length: this.#random.below(max + 1) }, () => this.#fact(fromUs, toUs))
    await insertFacts(this.#rig.store.relaxedDb, facts)
    this.#lastId = facts.at(-1)?.id ?? this.#lastId
    return facts
  }

  #fact(fromUs: number, toUs: number): FactRow {
    const random = this.#random
    const linkId = 1 + Math.floor(random.fraction() ** 2 * LINKS)
    const isBot = random.chance(0.1)
    const isFirst = Number(!isBot && random.chance(0.6))
    const texts = DIMENSIONS.map((name) => [name, random.pick(TEXTS.slice(0, 2 + (name.length % 9)))])
    return aFact({
      id: this.#nextId++,
      workspace_id: 1 + (linkId % 3),
      link_id: linkId,
      clicked_at: this.#timeBetween(fromUs, toUs),
      ...Object.fromEntries(texts),
      clicks: Number(!isBot),
      visitors: isFirst,
      workspace_visitors: isFirst && Number(random.chance(0.8)),
      bots: Number(isBot),
    })
  }

  /** Both are whole quarters of an hour. Many times are the first or the last of one. */
  #timeBetween(fromUs: number, toUs: number): number {
    const timeUs = fromUs + this.#random.below(toUs - fromUs)
    const quarterUs = timeUs - (timeUs % QUARTER_US)
    return this.#random.pick([timeUs, timeUs, quarterUs, quarterUs + QUARTER_US - 1])
  }

  async #forget(linkId: number): Promise<void> {
    this.#facts = this.#facts.filter((fact) => fact.link_id !== linkId)
    for (const { relaxedDb } of [this.#rig.store, ...this.#others])
      await relaxedDb.deleteFrom('clicks').where('link_id', '=', linkId).execute()
    for (const other of this.#others) await other.forgetLink?.(linkId)
    const ids = { linkIds: [linkId], workspaceIds: [] }
    const names = (await this.#rig.files()).map(({ name }) => name)
    for (const name of await this.#rig.engine.call('filesWith', { names, ...ids }))
      await this.#rig.rewrite({ names: [name], forgotten: { [name]: [linkId] } })
  }
}
