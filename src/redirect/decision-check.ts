import type { Condition, SplitPart } from '../links/rules/compile-rules.ts'
import type { Redirect, RouteDecision } from './decide-route.ts'

/** What a decision about a link with options has looked at. */
export type Check =
  /** The link does not redirect now. `fallback`: undefined if visitors read a notice. */
  | { kind: 'closed'; by: ClosedBy; fallback: Redirect | undefined }
  | { kind: 'limit'; isReached: boolean }
  | { kind: 'password'; isKnown: boolean }
  /** `failed`: its first condition that does not hold; undefined if all do. */
  | { kind: 'rule'; index: number; failed: Condition | undefined }
  /** Of a split. */
  | { kind: 'drawn'; part: SplitPart }

export type ClosedBy = Extract<RouteDecision, { kind: 'scheduled' | 'expired' | 'limit_reached' }>
