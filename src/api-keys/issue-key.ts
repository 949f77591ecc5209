import { UNLIMITED } from '../workspaces/plans.ts'
import { type Caller, COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { type Scope, SCOPES } from '../access/roles-and-scopes.ts'
import { type Clock, DAY_US } from '../runtime/clock.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { recordChange } from '../audit/record-change.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { readRestrictions } from './read-restrictions.ts'
import { hashKey, hintOf, makeKey } from './key-format.ts'

const NAME_CHARS_MAX = 255
/** Limits how many times a workspace can multiply its hourly limit. */
export const ACTIVE_KEYS_MAX = 20
/** Includes revoked ones: each key starts its own hour, so replacing keys would otherwise bypass the limit. */
const KEYS_A_DAY_MAX = 50

export type NewKey = {
  name: string
  /** Empty: all scopes. */
  scopes: string[]
  /** Requests per hour; undefined: what the plan allows. */
  rateLimit?: number | undefined
  /** As readRestrictions reads them. */
  restrictions?: unknown
}

/** A caller; or the user for whom the operator makes it, on the command line. */
type KeyMaker = Caller | Pick<Caller, 'workspaceId' | 'userId'>

/** `baseUrl`: of the domain that every workspace can use. */
export type IssueKeyDeps = { db: DurableDb; clock: Clock; baseUrl: string }

/** Returns the key only here. A hash and a hint are stored. */
export async function issueKey(
  deps: IssueKeyDeps,
  maker: KeyMaker,
  input: NewKey,
): Promise<{ id: number; key: string }> {
  const { workspaceId, userId } = maker
  const by = 'can' in maker ? maker : operatorIn(workspaceId, COMMAND_LINE)
  const { restrictions, errors } = readRestrictions(input.restrictions, input.scopes)
  const fields = { ...newKeyFaults(input), ...errors }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const key = makeKey()
  const scopes = input.scopes.length === 0 ? SCOPES : SCOPES.filter((scope) => input.scopes.includes(scope))
  return transact(deps.db, async (tx) => {
    const current = await lockForCaller(tx, by, 'member')
    if (!scopes.every(current.can)) throw invalid({ scopes: [SCOPES_BEYOND_ROLE] })
    await refuseTooMany(tx, workspaceId, deps.clock.nowUs())
    if (restrictions?.domain !== undefined)
      await refuseUnusableDomain({ ...deps, tx }, { workspaceId, domain: restrictions.domain })
    const { id } = await tx
      .insertInto('api_keys')
      .values({
        workspace_id: workspaceId,
        user_id: userId,
        name: input.name.trim(),
        key_hash: hashKey(key),
        key_hint: hintOf(key),
        scopes: JSON.stringify(scopes),
        rate_limit: input.rateLimit ?? null,
        window_started_at: null,
        last_used_at: null,
        revoked_at: null,
        created_at: deps.clock.nowUs(),
        restrictions: restrictions === undefined ? null : JSON.stringify(restrictions),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordChange(tx, by, {
      nowUs: deps.clock.nowUs(),
      action: 'key.created',
      target: input.name.trim(),
      targetId: id,
      changes: {
        ...{ key: { from: null, to: hintOf(key) }, scopes: { from: null, to: scopes } },
        ...(restrictions && { restrictions: { from: null, to: restrictions } }),
      },
    })
    return { id, key }
  })
}

const SCOPES_BEYOND_ROLE = 'Your role in this workspace does not allow all of these scopes.'

/** A key for another domain could create no link. */
async function refuseUnusableDomain(
  { tx, baseUrl }: { tx: Tx; baseUrl: string },
  { workspaceId, domain }: { workspaceId: number; domain: string },
): Promise<void> {
  if (domain === new URL(baseUrl).hostname) return
  const served = await tx
    .selectFrom('domains')
    .select('id')
    .where('host', '=', domain)
    .where((eb) => eb.or([eb('account_id', '=', workspaceId), eb('account_id', 'is', null)]))
    .executeTakeFirst()
  if (served === undefined)
    throw invalid({
      'restrictions.domain': [`Links cannot be created on ${domain}: add and verify the domain first.`],
    })
}

async function refuseTooMany(tx: Tx, workspaceId: number, nowUs: number): Promise<void> {
  const { active, ofDay } = await tx
    .selectFrom('api_keys')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('revoked_at', 'is', null).as('active'),
      eb.fn
        .countAll<number>()
        .filterWhere('created_at', '>', nowUs - DAY_US)
        .as('ofDay'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (active >= ACTIVE_KEYS_MAX) {
    throw invalid({ name: [`There can be at most ${ACTIVE_KEYS_MAX} active keys. Revoke one first.`] })
  }
  if (ofDay >= KEYS_A_DAY_MAX) {
    throw invalid({
      name: [`At most ${KEYS_A_DAY_MAX} keys can be created a day. Try again tomorrow.`],
    })
  }
}

function newKeyFaults({ name, scopes, rateLimit }: NewKey): FieldErrors {
  const fields: FieldErrors = {}
  if (name.trim() === '') fields.name = ['The name field is required.']
  else if ([...name].length > NAME_CHARS_MAX || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    fields.name = [`The name must be at most ${NAME_CHARS_MAX} characters, without control characters.`]
  }
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope as Scope))
  if (unknown.length > 0)
    fields.scopes = [`There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`]
  const isLimit =
    rateLimit === undefined || (Number.isSafeInteger(rateLimit) && rateLimit >= 1 && rateLimit <= UNLIMITED)
  if (!isLimit) fields.rate_limit = [`The rate limit must be an integer between 1 and ${UNLIMITED}.`]
  return fields
}
