import type { Click } from '../../src/clicks/click.ts'
import { HEADER_BYTES } from '../../src/clicks/segment.ts'
import type { Fault, Operation } from './simulated-process.ts'

type Call = { operation: Operation; about: string; fault: Fault | undefined }

type Outcome = 'pending' | 'acknowledged' | 'refused'

/** One click that a visitor made, and all that is to be known for judging what became of it. */
export type LedgerClick = {
  id: number
  linkId: number
  run: number
  outcome: Outcome
  /** It was acknowledged and has to outlive a power failure. */
  isPromised: boolean
  isGivenUp: boolean
  /** Why it need not be counted although it was acknowledged. */
  mayBeMissing: string | undefined
  /** It could not be cut off again, or power failed after that: what was refused may be in the journal all the same. */
  mayCountThoughRefused: boolean
}

/** Links and the accounts that they belong to. */
const ACCOUNT_OF: Record<number, number> = { 1: 1, 2: 1, 3: 2 }
export const LINK_IDS = Object.keys(ACCOUNT_OF).map(Number)

/** By a click's number. Bots are kept apart, so of them nothing else is known. */
const USER_AGENTS = ['Browser/1', 'Browser/1', 'Phone/1', 'Bot/1']
const userAgentOf = (id: number) => USER_AGENTS[id % USER_AGENTS.length]!
export const browserOf = (id: number) => userAgentOf(id).split('/')[0]!

/** Every click of a simulation, from what its visitor was told. It never looks into the journal or the store. */
export class ClickLedger {
  readonly clicks: LedgerClick[] = []
  /** Refused bytes stayed behind the end of a run's last segment: the next run takes them for journaled. */
  leftRefusedBytes = false
  /**
   * A sync of the present segment has failed, when so many clicks had been sent. What it was to cover the kernel takes
   * for written, whatever later syncs say, and that may be the segment's header. Later clicks belong into another one.
   */
  #distrustedUpTo: number | undefined
  /** The run whose last segment has refused bytes behind its end. */
  #uncutIn: number | undefined

  /** A new click; its number is its visitor's, so that it can be found among the counted ones. */
  send(run: number, linkId: number): { entry: LedgerClick; click: Click } {
    const id = this.clicks.length + 1
    const entry: LedgerClick = {
      ...{ id, linkId, run, outcome: 'pending' },
      ...{ isPromised: false, isGivenUp: false, mayBeMissing: undefined },
      mayCountThoughRefused: false,
    }
    this.clicks.push(entry)
    const click = {
      ...{ linkId, accountId: ACCOUNT_OF[linkId]!, clickedAtUs: 0, visitor: id, country: 'DE' },
      ...{ userAgent: userAgentOf(id), referrer: '' },
    }
    return { entry, click }
  }

  /** What was acknowledged has been synced, or so the program says. */
  promise(acknowledged: readonly LedgerClick[]): void {
    const safe = acknowledged.filter(({ id }) => id > (this.#distrustedUpTo ?? 0))
    for (const click of safe) click.isPromised = !click.isGivenUp
  }

  /** A call to the disk, and what excuses the fault that it had. */
  noteCall(run: number, { operation, about, fault }: Call): void {
    const hasFailed = fault === 'fail' || fault === 'roll back'
    if (hasFailed && operation === 'datasync') this.#distrustedUpTo ??= this.clicks.length
    if (hasFailed && operation === 'syncFile') this.#giveUpUnsynced()
    if (operation === 'createNew') this.#trustAgain()
    // What was refused stays in the file where the disk will not let go of it, until the next segment says where it ends.
    if (operation === 'truncate' && fault !== undefined) this.#uncutIn = run
    const isGroup = operation === 'write' && positionOf(about) >= HEADER_BYTES
    if (fault === undefined && (operation === 'truncate' || isGroup)) this.#uncutIn = undefined
  }

  /** The run has opened the journal, and with it synced what the run before had left. */
  noteStart(acknowledged: readonly LedgerClick[]): void {
    this.#trustAgain()
    this.promise(acknowledged)
  }

  /** The run has closed its journal, and with it synced everything. */
  noteStop(run: number, acknowledged: readonly LedgerClick[]): void {
    this.#trustAgain()
    this.promise(acknowledged)
    if (this.#uncutIn === run) this.noteKill(run)
  }

  /** A segment is left, and the next one is made. */
  #trustAgain(): void {
    if (this.#distrustedUpTo !== undefined) this.#giveUpUnsynced()
    this.#distrustedUpTo = undefined
  }

  #giveUpUnsynced(): void {
    for (const click of this.acknowledged) click.isGivenUp = !click.isPromised
  }

  get acknowledged(): LedgerClick[] {
    return this.clicks.filter(({ outcome }) => outcome === 'acknowledged')
  }

  excuse(reason: string, isExcused: (click: LedgerClick) => boolean): void {
    for (const click of this.acknowledged) if (isExcused(click)) click.mayBeMissing ??= reason
  }

  /** What the disk would not let go of may be counted by the next run. */
  noteKill(run: number): void {
    if (this.#uncutIn !== run) return
    this.leftRefusedBytes = true
    for (const click of this.clicks) if (click.run === run) click.mayCountThoughRefused = true
  }

  notePowerFailure(): void {
    this.excuse('not synced before the power failed', ({ isPromised }) => !isPromised)
    for (const click of this.clicks) click.mayCountThoughRefused = true
  }

  find(id: number): LedgerClick | undefined {
    return this.clicks[id - 1]
  }
}

/** Where a write went: what it is about ends with the place and the number of bytes, as in 256+51. */
const positionOf = (about: string) => Number(/(\d+)\+\d+$/.exec(about)![1])
