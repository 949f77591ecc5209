import type { SignedInCaller } from '../access/caller.ts'
import { listViews } from '../links/views/list-views.ts'
import type { Domains } from '../links/domains/domains.ts'
import { isoMicroseconds, isoOrNull } from '../runtime/clock.ts'
import { type ListedShare, listShares } from '../shares/list-shares.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { readSettings } from '../workspaces/settings/read-settings.ts'
import type { ExportLine } from './pages.ts'

type WorkspaceLineDeps = { db: ReadOnlyDb; domains: Pick<Domains, 'shortUrlOf'> }

/** What the workspace has set, its tags and folders, the views that the user sees in it, and what it shares. */
export async function workspaceLines(deps: WorkspaceLineDeps, caller: SignedInCaller): Promise<ExportLine[]> {
  const labels = await deps.db
    .selectFrom('labels')
    .select(['kind as type', 'name', 'color'])
    .where('workspace_id', '=', caller.workspaceId)
    .orderBy('kind')
    .orderBy('folded_name')
    .execute()
  return [
    { type: 'workspace_settings', ...(await readSettings(deps, caller)) },
    ...labels,
    ...(await listViews(deps, caller)).map((view) => ({
      type: 'saved_view',
      name: view.name,
      query: view.query,
      is_shared: view.isShared,
      saved_by: view.ownerName,
      created_at: isoMicroseconds(view.createdAtUs),
    })),
    ...(await listShares(deps, caller)).map((share) => shareLine(deps, share)),
  ]
}

/** Without its URL, which is a secret. */
const shareLine = (
  { domains }: Pick<WorkspaceLineDeps, 'domains'>,
  { subject, panels, ...share }: ListedShare,
): ExportLine => ({
  type: 'shared_statistics',
  of: subject?.kind ?? 'deleted_link',
  ...(subject?.kind === 'link' && { short_url: domains.shortUrlOf(subject) }),
  ...(subject !== undefined && 'name' in subject && { name: subject.name }),
  panels,
  ends_at: isoOrNull(share.endsAtUs),
  has_password: share.passwordHash !== null,
  created_at: isoMicroseconds(share.createdAtUs),
})
