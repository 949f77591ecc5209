import type { Caller } from '../../access/caller.ts'
import { type ChangeLinksDeps, changeLinks, type LinksTx } from '../../links/change-links.ts'
import { type IdempotentRequest, storedResponse, storeResponse } from '../../links/idempotency.ts'

type Request = { caller: Caller; idempotent: IdempotentRequest | undefined; isDryRun?: boolean }

type Response = { status: number; body: string; headers?: Record<string, string> }

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * The response that was stored for the same request, or else that of the work, which is stored in the transaction of the work. A
 * dry run stores nothing.
 */
export const idempotently = (
  deps: ChangeLinksDeps,
  { caller, idempotent, isDryRun = false }: Request,
  work: (change: LinksTx) => Promise<Response>,
): Promise<Response> =>
  changeLinks(deps, { claimsCodes: true, isDryRun }, async (change) => {
    const stored = await storedResponse(change, caller, idempotent)
    if (stored !== undefined) return { ...stored, headers: REPLAYED }
    const response = await work(change)
    if (!isDryRun) await storeResponse(change, caller, { request: idempotent, ...response })
    return response
  })

/** Whether it is the answer to an earlier request. */
export const isReplayed = ({ headers }: Response): boolean => headers === REPLAYED
