import { DEFAULT_PLAN, isPlan } from '../access/plan-names.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { Refusal } from '../errors/refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { AnyDb, Tx } from '../store/handles.ts'
import { linkCounts } from './lists/count-links.ts'
import { wholeText } from '../runtime/number-text.ts'

/**
 * Refuses links that would be more than the workspace may have. In the transaction that adds them: those of one workspace wait for
 * each other, so the limit is exact. Links in the trash do not count.
 */
export async function refuseOverLinkLimit(
  { tx, linksMax }: { tx: Tx; linksMax: LinksMax },
  workspaceId: number,
  added: number,
): Promise<void> {
  if (added === 0) return
  const max = await linkLimitOf({ db: tx, linksMax }, workspaceId)
  if (max === null) return
  await lock(tx, `number of links of workspace ${workspaceId}`)
  const { links } = await linkCounts(tx, workspaceId)
  if (links + added <= max) return
  const has = `This workspace has ${wholeText(links)} of at most ${wholeText(max)} links`
  throw new Refusal(
    'limit_reached',
    `${has}, so ${wholeText(added)} more cannot be added. Delete links that you no longer need, or ask the operator of this server.`,
  )
}

export const hasLinkLimits = (linksMax: LinksMax): boolean => Object.keys(linksMax).length > 0

/** Null: no limit. The workspaces of operators have none. */
export async function linkLimitOf(
  { db, linksMax }: { db: AnyDb; linksMax: LinksMax },
  workspaceId: number,
): Promise<number | null> {
  if (!hasLinkLimits(linksMax)) return null
  const { plan, isOperators } = await db
    .selectFrom('workspaces')
    .select('plan')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('members')
            .innerJoin('users', 'users.id', 'members.user_id')
            .select('users.id')
            .whereRef('members.workspace_id', '=', 'workspaces.id')
            .where('members.role', '=', 'owner')
            .where('users.role', '=', 'admin'),
        )
        .as('isOperators'),
    )
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return isOperators ? null : (linksMax[isPlan(plan) ? plan : DEFAULT_PLAN] ?? null)
}
