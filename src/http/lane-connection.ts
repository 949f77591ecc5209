import type { Answer } from '../redirect/answer.ts'
import type { Bounded } from './bounded-connections.ts'
import type { HandOver } from './hand-over.ts'
import type { LingeringClose } from './lingering-close.ts'

/** What the fast lane knows of a connection. */
export type Connection = Bounded & {
  ip: string
  /** Undefined while the lane answers itself. */
  handOver: HandOver | undefined
  /** The client says no more, but may still listen. */
  hasEnded: boolean
  /** Received, but not read yet: requests behind the one that is being answered, or the beginning of a head. */
  ahead: Buffer | undefined
  /** The rest of a head is waited for, and its time runs. */
  hasPartOfHead: boolean
  /** The client is not read until it is answered. */
  isPaused: boolean
  unsent: Unsent | undefined
  /** Set once the last answer is out while more is being received. */
  lingering: LingeringClose | undefined
}

export type Sent = { status: Answer['status']; closes: boolean }

/** What the client has not taken yet of an answer. */
export type Unsent = Sent & { bytes: Buffer }

export const newConnection = (ip: string): Connection => ({
  ip,
  isBusy: false,
  wasAnswered: false,
  handOver: undefined,
  hasEnded: false,
  ahead: undefined,
  hasPartOfHead: false,
  isPaused: false,
  unsent: undefined,
  lingering: undefined,
})
