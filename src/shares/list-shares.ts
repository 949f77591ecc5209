import { shownCode } from '../links/shown-code.ts'
import type { Caller } from '../access/caller.ts'
import type { LabelKind } from '../links/labels/label.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type Share, toShare } from './share.ts'

export type ListedShare = Share & {
  /** Undefined while the link is in the trash. */
  subject: ({ kind: 'link' } & LinkKey) | { kind: LabelKind; name: string } | undefined
}

/** All of the workspace, the oldest first. */
export async function listShares(
  { db }: { db: ReadOnlyDb },
  { workspaceId }: Caller,
): Promise<ListedShare[]> {
  const rows = await db
    .selectFrom('shares')
    .leftJoin('links', 'links.id', 'shares.link_id')
    .leftJoin('labels', 'labels.id', 'shares.label_id')
    .selectAll('shares')
    .select(['links.domain_id as domainId', shownCode, 'labels.kind', 'labels.name'])
    .where('shares.workspace_id', '=', workspaceId)
    .orderBy('shares.id')
    .execute()
  return rows.map((row) => ({ ...toShare(row), subject: subjectOf(row) }))
}

type Names = { domainId: number | null; code: string | null; kind: string | null; name: string | null }

function subjectOf({ domainId, code, kind, name }: Names): ListedShare['subject'] {
  if (domainId !== null && code !== null) return { kind: 'link', domainId, code }
  return kind === null || name === null ? undefined : { kind: kind as LabelKind, name }
}
