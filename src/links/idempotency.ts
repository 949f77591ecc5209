import type { Caller } from '../access/caller.ts'
import { DAY_US } from '../runtime/clock.ts'
import { invalid, Refusal } from '../errors/refusal.ts'
import { freeToRemove, lock } from '../store/engine-sql.ts'
import type { RelaxedDb, Tx } from '../store/handles.ts'

/** A request that may be sent again, by draft-ietf-httpapi-idempotency-key-header. */
export type IdempotentRequest = {
  /** Method, path and sender: a key is only known where it was used, and to who used it. */
  endpoint: string
  key: string
  /** HMAC-SHA-256 of the body with the sender's secret, hex. */
  fingerprint: string
}

export type StoredResponse = { status: number; body: string }

/** The transaction that keeps the answer. */
type Time = { tx: Tx; nowUs: number }

const KEY_CHARS_MAX = 255
const KEPT_US = DAY_US

/** The key in the header: a quoted string by the draft, a bare token by habit. Undefined when there is none. */
export function readIdempotencyKey(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim()
  if (key.length >= 1 && key.length <= KEY_CHARS_MAX) return key
  throw invalid({
    idempotency_key: [`The idempotency key must be between 1 and ${KEY_CHARS_MAX} characters.`],
  })
}

/**
 * The answer to the same request, when there is one; the same request on another node is waited for. Refused when the
 * key was used for another body.
 */
export async function storedResponse(
  { tx, nowUs }: Time,
  { workspaceId }: Caller,
  request: IdempotentRequest | undefined,
): Promise<StoredResponse | undefined> {
  if (request === undefined) return undefined
  await lock(tx, `answer ${workspaceId} ${request.endpoint} ${request.key}`)
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body'])
    .where('workspace_id', '=', workspaceId)
    .where('endpoint', '=', request.endpoint)
    .where('key', '=', request.key)
    .where('created_at', '>', nowUs - KEPT_US)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.fingerprint !== request.fingerprint) {
    throw invalid({ idempotency_key: ['The idempotency key has been used with another body.'] })
  }
  return { status: row.status, body: row.body }
}

/** Keeps an answer, in the transaction that it speaks of: a crash leaves both or neither. */
export async function storeResponse(
  { tx, nowUs }: Time,
  { workspaceId }: Caller,
  { request, status, body }: StoredResponse & { request: IdempotentRequest | undefined },
): Promise<void> {
  if (request === undefined) return
  const row = { ...request, status, body, workspace_id: workspaceId, created_at: nowUs }
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'endpoint', 'key']).doUpdateSet(row))
    .execute()
}

/** Forgets the answers that are older than a day. */
export async function removeStoredResponses(db: RelaxedDb, nowUs: number): Promise<void> {
  const old = db
    .selectFrom('idempotency_keys')
    .select(['workspace_id', 'endpoint', 'key'])
    .where('created_at', '<=', nowUs - KEPT_US)
  await db
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('workspace_id', 'endpoint', 'key'),
        'in',
        freeToRemove(db, old).$asTuple('workspace_id', 'endpoint', 'key'),
      ),
    )
    .execute()
}

/** Requests with a key that this process is working on. Repeating one before it is answered is a conflict. */
export class RunningRequests {
  readonly #running = new Set<string>()

  async run<Answer>(
    caller: Caller,
    request: IdempotentRequest | undefined,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    if (request === undefined) return work()
    const id = `${caller.workspaceId} ${request.endpoint} ${request.key}`
    if (this.#running.has(id)) {
      throw new Refusal(
        'idempotency_in_progress',
        'A request with this Idempotency-Key is still in progress.',
      )
    }
    this.#running.add(id)
    try {
      return await work()
    } finally {
      this.#running.delete(id)
    }
  }
}
