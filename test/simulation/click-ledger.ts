import type { Click } from '../../src/clicks/click.ts'

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
  /** Its run was killed, or power failed after it: what was refused may be in the journal all the same. */
  mayCountThoughRefused: boolean
}

/** Links and the accounts that they belong to. */
const ACCOUNT_OF: Record<number, number> = { 1: 1, 2: 1, 3: 2 }
export const LINK_IDS = Object.keys(ACCOUNT_OF).map(Number)

const USER_AGENTS = ['Browser/1', 'Browser/1', 'Phone/2', 'Bot/3']

/** Every click of a simulation, from what its visitor was told. It never looks into the journal or the store. */
export class ClickLedger {
  readonly clicks: LedgerClick[] = []

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
      ...{ userAgent: USER_AGENTS[id % USER_AGENTS.length]!, referrer: '' },
    }
    return { entry, click }
  }

  /** What was acknowledged has been synced, or so the program says. */
  promise(acknowledged: readonly LedgerClick[]): void {
    for (const click of acknowledged) click.isPromised = !click.isGivenUp
  }

  /** A sync has failed: what it was to cover may be gone with the next power failure, whatever later syncs say. */
  giveUpOnUnsynced(): void {
    for (const click of this.acknowledged) click.isGivenUp = !click.isPromised
  }

  get acknowledged(): LedgerClick[] {
    return this.clicks.filter(({ outcome }) => outcome === 'acknowledged')
  }

  excuse(reason: string, isExcused: (click: LedgerClick) => boolean): void {
    for (const click of this.acknowledged) if (isExcused(click)) click.mayBeMissing ??= reason
  }

  /** The run that made the latest clicks was killed. */
  noteKill(run: number): void {
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
