import type { Log } from '../../runtime/log.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'

// Names of workspaces are free, and every admin can change them. So a name in OIDC_PROVIDERS means, for good, the workspace that
// was the only one of that name when it was first looked up: no later change of a name redirects a role.

/** Of the workspaces with a name, an error lists as many. */
const LISTED_MAX = 10

export type GroupWorkspace = { workspaceId: number; isBound: boolean } | { error: string }

/** The workspace of a group role, or a sentence that says why there is none. */
export async function findGroupWorkspace(db: AnyDb, workspace: number | string): Promise<GroupWorkspace> {
  if (typeof workspace === 'number')
    return (await isOpen(db, workspace))
      ? { workspaceId: workspace, isBound: true }
      : { error: `There is no workspace with the ID ${workspace}.` }
  const bound = await boundWorkspace(db, workspace)
  if (bound !== undefined)
    return (await isOpen(db, bound))
      ? { workspaceId: bound, isBound: true }
      : { error: `The workspace "${workspace}" (ID ${bound}) was deleted.` }
  const [only, ...others] = await db
    .selectFrom('workspaces')
    .select('id')
    .where('name', '=', workspace)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute()
  if (only === undefined) return { error: `There is no workspace with the name "${workspace}".` }
  if (others.length === 0) return { workspaceId: only.id, isBound: false }
  const ids = [only, ...others].map(({ id }) => id).join(', ')
  return { error: `Several workspaces have the name "${workspace}" (IDs ${ids}).` }
}

/** The same, and keeps what the name means. */
export async function bindGroupWorkspace(tx: Tx, workspace: number | string): Promise<GroupWorkspace> {
  const groupWorkspace = await findGroupWorkspace(tx, workspace)
  if (typeof workspace === 'number' || 'error' in groupWorkspace || groupWorkspace.isBound)
    return groupWorkspace
  const row = { name: workspace, workspace_id: groupWorkspace.workspaceId }
  await tx
    .insertInto('group_workspaces')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Another node may have been faster.
  return findGroupWorkspace(tx, workspace)
}

export function logMissingWorkspace(
  log: Pick<Log, 'warn'>,
  { provider, group, error }: { provider: string; group: string; error: string },
): void {
  const reason = `${error} Use the ID of the workspace in OIDC_PROVIDERS.`
  log.warn('Nobody gets the role of this group.', { provider, group, reason })
}

async function boundWorkspace(db: AnyDb, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('group_workspaces')
    .select('workspace_id')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.workspace_id
}

async function isOpen(db: AnyDb, workspaceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
