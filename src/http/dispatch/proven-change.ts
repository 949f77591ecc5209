import { type Proof, reauthenticate, refuseUnconfirmed } from '../../users/sign-in/reauthenticate.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { ServerDeps } from './server-deps.ts'

type ProvenRequest = Pick<EndpointRequest<'session'>, 'caller' | 'session' | 'ip'> & {
  input: Pick<Proof, 'password'>
}

/**
 * Runs a change for which users prove again who they are. Wrong passwords are delayed as for signing in, so that an unlocked screen is
 * no faster way to guess. A missing confirmation is not a guess.
 */
export async function proven<Value>(
  { db, limits }: ServerDeps,
  { caller: { userId }, session, input, ip }: ProvenRequest,
  work: (proof: Proof) => Promise<Value>,
): Promise<Value> {
  const proof = { password: input.password, isConfirmed: session.confirmedUntilUs !== null }
  await refuseUnconfirmed(db, userId, proof)
  return limits.guess({ ip, owner: userId }, () => work(proof))
}

/** For a change that is not one function with the proof. */
export const prove = (deps: ServerDeps, request: ProvenRequest): Promise<string> =>
  proven(deps, request, (proof) => reauthenticate(deps, request.caller.userId, proof))
