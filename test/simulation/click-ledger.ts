import type { Click } from '../../src/clicks/journal/click.ts'
import type { ClickExtras } from '../../src/clicks/journal/click-extras.ts'
import { HEADER_BYTES } from '../../src/clicks/journal/segment.ts'
import type { Visit } from '../../src/redirect/visit.ts'
import type { VisitResponse } from '../../src/redirect/visit-response.ts'
import { OpeningLedger } from './opening-ledger.ts'
import {
  isWithinLimit,
  type Lead,
  leadsOf,
  LIMITS,
  STICKY_LINK,
  visitOf,
  workspaceOf,
} from './simulated-links.ts'
import type { Fault, Operation } from './simulated-process.ts'

type Call = { operation: Operation; about: string; fault: Fault | undefined }

/** 'turned away': to a notice, which is no click. */
type Outcome = 'pending' | 'acknowledged' | 'refused' | 'turned away'

/** A click that a visitor sent, and what the check needs to know about it. */
export type LedgerClick = {
  id: number
  linkId: number
  run: number
  visit: Visit
  /** Where the visitor may be led; fewer once the click is journaled, which says it. */
  leads: readonly Lead[]
  /** What the click says of it, once it has been given to the journal, which sets its time. */
  journaled: (ClickExtras & { click: Click }) | undefined
  ledTo: string | undefined
  outcome: Outcome
  /** It was acknowledged and must survive a power failure. */
  isPromised: boolean
  isGivenUp: boolean
  /** Why it need not be counted although it was acknowledged; undefined if it must be. */
  mayBeMissing: string | undefined
  /** It was refused but could not be truncated, or the power failed later, so it may still be in the journal. */
  mayCountThoughRefused: boolean
}

/** By the id of the click. */
const USER_AGENTS = ['Browser/1', 'Browser/1', 'Phone/1', 'Bot/1']
const userAgentOf = (id: number) => USER_AGENTS[id % USER_AGENTS.length]!
export const browserOf = (id: number) => userAgentOf(id).split('/')[0]!
const PLAIN: ClickExtras = { variant: '', via: 'link', language: '', utm: '', alias: '' }

/** Every click of a simulation, as its visitor saw it. It never reads the journal or the store. */
export class ClickLedger {
  readonly clicks: LedgerClick[] = []
  readonly openings = new OpeningLedger(LIMITS)
  /** What visitors met that they should not have met. */
  readonly astray: string[] = []
  /** At least as many clicks are deleted: the program has said so. They come back only with an older database. */
  deletedMin = 0
  /** Refused bytes stayed at the end of a run's last segment, so the next run takes them for journaled. */
  leftRefusedBytes = false
  /**
   * How many clicks had been sent when a sync of the current segment failed. The kernel considers what it covered written,
   * whatever later syncs report, and that may include the header. Later clicks belong into another segment.
   */
  #distrustedUpTo: number | undefined
  /** The run whose last segment ends with refused bytes. */
  #uncutIn: number | undefined

  /** A new click, now. Its id is its visitor too, so it can be found among the counted ones. */
  send(run: number, linkId: number, nowUs: number): LedgerClick {
    const id = this.clicks.length + 1
    const entry: LedgerClick = {
      id,
      linkId,
      run,
      outcome: 'pending',
      journaled: undefined,
      ledTo: undefined,
      visit: visitOf(id, linkId, userAgentOf(id)),
      leads: leadsOf(linkId, { id, nowUs, isBot: browserOf(id) === 'Bot' }),
      isPromised: false,
      isGivenUp: false,
      mayBeMissing: undefined,
      mayCountThoughRefused: false,
    }
    this.clicks.push(entry)
    return entry
  }

  /** The program gives a click to the journal. */
  noteJournaled(click: Click): void {
    const { visitor: id, linkId, workspaceId, userAgent, extras = PLAIN } = click
    const entry = this.find(id)
    const isSame =
      entry?.linkId === linkId && workspaceOf(linkId) === workspaceId && userAgentOf(id) === userAgent
    const leads =
      entry?.leads.filter((lead) => lead.location !== undefined && isEqual(lead.extras, extras)) ?? []
    if (entry === undefined || !isSame || leads.length === 0 || entry.journaled !== undefined)
      return void this.astray.push(`Click ${id} of link ${linkId} is journaled as ${JSON.stringify(extras)}.`)
    entry.journaled = { ...extras, click }
    entry.leads = leads
  }

  noteAnswer(entry: LedgerClick, { status, location }: Pick<VisitResponse, 'status' | 'location'>): void {
    const { id, linkId, leads } = entry
    entry.ledTo = location
    if (location !== undefined) entry.outcome = 'acknowledged'
    else entry.outcome = status === 503 ? 'refused' : 'turned away'
    if (entry.outcome === 'refused') return
    if (!leads.some((lead) => lead.location === location))
      this.astray.push(`Click ${id} of link ${linkId} leads to ${location}, not to ${JSON.stringify(leads)}.`)
    if (!LIMITS.has(linkId)) return
    if (isWithinLimit(location)) this.openings.noteLed(linkId)
    // A program that only looks is told nothing, or led to the fallback as everybody is.
    else if (location !== undefined || leads.some((lead) => isWithinLimit(lead.location)))
      if (!this.openings.mayBeExhausted(linkId))
        this.astray.push(`Click ${id} is too much for link ${linkId}, which has openings left.`)
  }

  /** A visitor whom a link leads to one of several places, and who was led to one. */
  get comingAgain(): LedgerClick[] {
    return this.acknowledged.filter(({ linkId }) => linkId === STICKY_LINK)
  }

  noteAgain({ id, linkId, ledTo }: LedgerClick, location: string | undefined): void {
    if (location !== ledTo)
      this.astray.push(`Click ${id} of link ${linkId} leads to ${ledTo}, and then to ${location}.`)
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

const isEqual = (a: ClickExtras, b: ClickExtras): boolean =>
  a.variant === b.variant && a.via === b.via && a.language === b.language && a.alias === b.alias

/** The position of a write: the description ends with position and length, as in 256+51. */
const positionOf = (about: string) => Number(/(\d+)\+\d+$/.exec(about)![1])
