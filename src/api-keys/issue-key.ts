import { z } from 'zod'
import { limitsLinks } from '../access/key-restrictions.ts'
import { UNLIMITED } from '../workspaces/plans.ts'
import { type Caller, COMMAND_LINE, operatorIn } from '../access/caller.ts'
import { type Scope, SCOPES } from '../access/roles-and-scopes.ts'
import { type Clock, DAY_US } from '../runtime/clock.ts'
import { validated } from '../errors/field-errors.ts'
import { invalid } from '../errors/refusal.ts'
import { recordChange } from '../audit/record-change.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import { lockForCaller } from '../workspaces/lock-for-caller.ts'
import { REQUIRED } from '../validation/field-rules.ts'
import { keyRestrictions } from './read-restrictions.ts'
import { hashKey, hintOf, makeKey } from './key-format.ts'

const NAME_CHARS_MAX = 255
/** Limits how many times a workspace can multiply its hourly limit. */
export const ACTIVE_KEYS_MAX = 20
/** Includes revoked ones: each key starts its own hour, so replacing keys would otherwise bypass the limit. */
const KEYS_A_DAY_MAX = 50

const NO_NAME = `The :attribute must be at most ${NAME_CHARS_MAX} characters, without control characters.`
const NO_LIMIT = `The :attribute must be an integer between 1 and ${UNLIMITED}.`
const ONLY_CREATING = 'A key whose links are limited has the scope links:create and no other.'

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** A key as it is stored, but for what depends on its workspace. */
export const newKey = z
  .object({
    name: z
      .string(REQUIRED)
      .refine((name) => name.trim() !== '', { error: REQUIRED, abort: true })
      .refine(
        (name) => [...name].length <= NAME_CHARS_MAX && !/\p{Cc}/u.test(name) && name.isWellFormed(),
        NO_NAME,
      )
      .transform((name) => name.trim()),
    /** Empty: all scopes. */
    scopes: z.array(z.string()).transform((names, context) => {
      const unknown = names.filter((name) => !isScope(name))
      if (unknown.length > 0)
        context.addIssue(`There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`)
      return SCOPES.filter((scope) => names.length === 0 || names.includes(scope))
    }),
    /** Requests per hour; undefined: what the plan allows; null: no limit. */
    rate_limit: z
      .int(NO_LIMIT)
      .min(1, NO_LIMIT)
      .max(UNLIMITED, NO_LIMIT)
      .nullish()
      .transform((limit) => (limit === null ? UNLIMITED : limit)),
    restrictions: keyRestrictions,
  })
  .refine(
    ({ scopes, restrictions }) =>
      restrictions === undefined || !limitsLinks(restrictions) || String(scopes) === 'links:create',
    { path: ['restrictions'], error: ONLY_CREATING },
  )

export type NewKey = Pick<z.input<typeof newKey>, 'name' | 'scopes'> & {
  rateLimit?: number | undefined
  restrictions?: unknown
}

/** A caller; or the user for whom the operator makes it, on the command line. */
type KeyMaker = Caller | Pick<Caller, 'workspaceId' | 'userId'>

/** `baseUrl`: of the domain that every workspace can use. */
export type IssueKeyDeps = { db: DurableDb; clock: Clock; baseUrl: string }

type IssuedKey = { id: number; key: string }

/** For values that no schema has read, such as those of the command line. */
export async function issueKey(
  deps: IssueKeyDeps,
  maker: KeyMaker,
  { rateLimit, ...input }: NewKey,
): Promise<IssuedKey> {
  return issueValidKey(deps, maker, validated(newKey, { ...input, rate_limit: rateLimit }))
}

/** Returns the key only here. A hash and a hint are stored. */
export async function issueValidKey(
  deps: IssueKeyDeps,
  maker: KeyMaker,
  { name, scopes, restrictions, rate_limit: rateLimit }: z.output<typeof newKey>,
): Promise<IssuedKey> {
  const { workspaceId, userId } = maker
  const by = 'can' in maker ? maker : operatorIn(workspaceId, COMMAND_LINE)
  const key = makeKey()
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
        name,
        key_hash: hashKey(key),
        key_hint: hintOf(key),
        scopes: JSON.stringify(scopes),
        rate_limit: rateLimit ?? null,
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
      target: name,
      targetId: id,
      changes: {
        key: { from: null, to: hintOf(key) },
        scopes: { from: null, to: scopes },
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
  const servedDomain = await tx
    .selectFrom('domains')
    .select('id')
    .where('host', '=', domain)
    .where((eb) => eb.or([eb('workspace_id', '=', workspaceId), eb('workspace_id', 'is', null)]))
    .executeTakeFirst()
  if (servedDomain === undefined)
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
