import type { Caller } from '../../access/caller.ts'
import { type ChangeLinksDeps, changeLinks, type LinksTx } from '../../links/change-links.ts'
import { type IdempotentRequest, storedResponse, storeResponse } from '../../links/idempotency.ts'
import { success } from '../responses/envelope.ts'

type Request = { caller: Caller; idempotent: IdempotentRequest | undefined; isDryRun?: boolean }

type Reply<Data> = {
  status: 200 | 201
  message: string
  count?: number
  data: Data
  headers?: Record<string, string>
}

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * The reply that was stored for the same request, or else that of the work, which is stored in the transaction of the work. A
 * dry run stores nothing.
 */
export const idempotently = <Data>(
  deps: ChangeLinksDeps,
  { caller, idempotent, isDryRun = false }: Request,
  work: (change: LinksTx) => Promise<Reply<Data>>,
): Promise<Reply<Data>> =>
  changeLinks(deps, { claimsCodes: true, isDryRun }, async (change) => {
    const earlier = await storedResponse(change, caller, idempotent)
    if (earlier !== undefined) return replyOf(earlier)
    const reply = await work(change)
    if (isDryRun || idempotent === undefined) return reply
    const { status, message, count, data } = reply
    const body = JSON.stringify(success(message, { count, data }))
    await storeResponse(change, caller, { request: idempotent, status, body })
    return reply
  })

function replyOf<Data>({ status, body }: { status: number; body: string }): Reply<Data> {
  const { success: _, ...envelope } = JSON.parse(body)
  return { ...envelope, status, headers: REPLAYED }
}

/** Whether it is the answer to an earlier request. */
export const isReplayed = ({ headers }: Reply<unknown>): boolean => headers === REPLAYED
