import type { Click } from '../../src/clicks/journal/click.ts'
import { HEADER_BYTES } from '../../src/clicks/journal/segment.ts'
import type { Fault, Operation } from './simulated-process.ts'

type Call = { operation: Operation; about: string; fault: Fault | undefined }

type Outcome = 'pending' | 'acknowledged' | 'refused'

/** A click that a visitor sent, and what the check needs to know about it. */
export type LedgerClick = {
  id: number
  linkId: number
  run: number
  outcome: Outcome
  /** It was acknowledged and must survive a power failure. */
  isPromised: boolean
  isGivenUp: boolean
  /** Why it need not be counted although it was acknowledged; undefined if it must be. */
  mayBeMissing: string | undefined
  /** It was refused but could not be truncated, or the power failed later, so it may still be in the journal. */
  mayCountThoughRefused: boolean
}

/** The account of each link. */
const WORKSPACE_OF: Record<number, number> = { 1: 1, 2: 1, 3: 2 }
export const LINK_IDS = Object.keys(WORKSPACE_OF).map(Number)

/** By the id of the click. */
const USER_AGENTS = ['Browser/1', 'Browser/1', 'Phone/1', 'Bot/1']
const userAgentOf = (id: number) => USER_AGENTS[id % USER_AGENTS.length]!
/** One click in five is extended, so segments of both formats alternate. */
export const extrasOf = (id: number): Click['extras'] =>
  id % 5 === 0 ? { variant: 'rule 1', via: 'qr', language: 'pt', query: 'a=1' } : undefined
export const browserOf = (id: number) => userAgentOf(id).split('/')[0]!

/** Every click of a simulation, as its visitor saw it. It never reads the journal or the store. */
export class ClickLedger {
  readonly clicks: LedgerClick[] = []
  /** Refused bytes stayed at the end of a run's last segment, so the next run takes them for journaled. */
  leftRefusedBytes = false
  /**
   * How many clicks had been sent when a sync of the current segment failed. The kernel considers what it covered written,
   * whatever later syncs report, and that may include the header. Later clicks belong into another segment.
   */
  #distrustedUpTo: number | undefined
  /** The run whose last segment ends with refused bytes. */
  #uncutIn: number | undefined

  /** A new click. Its id is its visitor too, so it can be found among the counted ones. */
  send(run: number, linkId: number): { entry: LedgerClick; click: Click } {
    const id = this.clicks.length + 1
    const entry: LedgerClick = {
      ...{ id, linkId, run, outcome: 'pending' },
      ...{ isPromised: false, isGivenUp: false, mayBeMissing: undefined },
      mayCountThoughRefused: false,
    }
    this.clicks.push(entry)
    const click: Click = {
      ...{ linkId, workspaceId: WORKSPACE_OF[linkId]!, clickedAtUs: 0, visitor: id, country: 'DE' },
      ...{ userAgent: userAgentOf(id), referrer: '', extras: extrasOf(id) },
    }
    return { entry, click }
  }

  /** The program says that these are synced. */
  promise(acknowledged: readonly LedgerClick[]): void {
    const safe = acknowledged.filter(({ id }) => id > (this.#distrustedUpTo ?? 0))
    for (const click of safe) click.isPromised = !click.isGivenUp
  }

  /** A call to the disk with its fault, which may excuse missing clicks. */
  noteCall(run: number, { operation, about, fault }: Call): void {
    const hasFailed = fault === 'fail' || fault === 'roll back'
    if (hasFailed && operation === 'datasync') this.#distrustedUpTo ??= this.clicks.length
    if (hasFailed && operation === 'syncFile') this.#giveUpUnsynced()
    if (operation === 'createNew') this.#trustAgain()
    // Refused bytes that cannot be truncated stay until the next segment says where this one ends.
    if (operation === 'truncate' && fault !== undefined) this.#uncutIn = run
    const isGroup = operation === 'write' && positionOf(about) >= HEADER_BYTES
    if (fault === undefined && (operation === 'truncate' || isGroup)) this.#uncutIn = undefined
  }

  /** The run has opened the journal, which synced what the previous run left. */
  noteStart(acknowledged: readonly LedgerClick[]): void {
    this.#trustAgain()
    this.promise(acknowledged)
  }

  /** The run has closed the journal, which synced everything. */
  noteStop(run: number, acknowledged: readonly LedgerClick[]): void {
    this.#trustAgain()
    this.promise(acknowledged)
    if (this.#uncutIn === run) this.noteKill(run)
  }

  /** The next segment is created. */
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

  /** Refused bytes that could not be truncated may be counted by the next run. */
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

/** The position of a write: the description ends with position and length, as in 256+51. */
const positionOf = (about: string) => Number(/(\d+)\+\d+$/.exec(about)![1])
