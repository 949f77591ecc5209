import { type Proof, reauthenticate, refuseUnconfirmed } from '../../users/sign-in/reauthenticate.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { proofOf, type SignedInRequest } from './dashboard-endpoint.ts'

/**
 * Runs a change for which users prove again who they are. Wrong passwords are delayed as for signing in, so that an unlocked screen is
 * no faster way to guess. A missing confirmation is not a guess.
 */
export async function proven<Value>(
  { db, limits }: DashboardDeps,
  request: SignedInRequest,
  work: (proof: Proof) => Promise<Value>,
): Promise<Value> {
  const proof = proofOf(request)
  const { userId } = request.caller
  await refuseUnconfirmed(db, userId, proof)
  return limits.guess({ ip: request.ip, owner: userId }, () => work(proof))
}

/** For a change that is not one function with the proof. */
export const prove = (deps: DashboardDeps, request: SignedInRequest): Promise<string> =>
  proven(deps, request, (proof) => reauthenticate(deps, request.caller.userId, proof))
