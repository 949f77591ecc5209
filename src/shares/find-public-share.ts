import type { LabelKind } from '../links/labels/label.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { ReadDb } from '../store/handles.ts'
import { hashSecret } from '../users/tokens/secret-text.ts'
import { type Share, toShare } from './share.ts'

type SharedLink = { kind: 'link'; id: number; title: string; originalUrl: string } & LinkKey
type SharedLabel = { kind: LabelKind; id: number; name: string }

/** A page that everybody may see who has its URL, and its password if it has one. */
export type PublicShare = Share & {
  workspaceId: number
  workspaceName: string
  subject: SharedLink | SharedLabel
  /** When the link, or for others the workspace, was created. */
  sinceUs: number
}

/**
 * Read for each request, so that a page that is reset, stopped or ended is gone at once on every node, as are those of links in the
 * trash and of suspended workspaces.
 */
export async function findPublicShare(
  { db }: { db: ReadDb },
  { secret, nowUs }: { secret: string; nowUs: number },
): Promise<PublicShare | undefined> {
  const row = await db
    .selectFrom('shares')
    .innerJoin('workspaces', 'workspaces.id', 'shares.workspace_id')
    .leftJoin('links', 'links.id', 'shares.link_id')
    .leftJoin('labels', 'labels.id', 'shares.label_id')
    .selectAll('shares')
    .select([
      'workspaces.name as workspaceName',
      'workspaces.created_at as workspaceCreatedAtUs',
      'links.domain_id as domainId',
      'links.code',
      'links.title',
      'links.original_url as originalUrl',
      'links.created_at as linkCreatedAtUs',
      'labels.kind as labelKind',
      'labels.name as labelName',
    ])
    .where('shares.secret_hash', '=', hashSecret(secret))
    .where('workspaces.suspended_at', 'is', null)
    .where('workspaces.closed_at', 'is', null)
    .where((eb) => eb.or([eb('shares.ends_at', 'is', null), eb('shares.ends_at', '>', nowUs)]))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { workspace_id: workspaceId, workspaceName } = row
  const shared = { ...toShare(row), workspaceId, workspaceName }
  const { domainId, code, title, originalUrl, linkCreatedAtUs, labelKind, labelName } = row
  if (row.link_id !== null && code !== null) {
    const link = { domainId: domainId!, code, title: title!, originalUrl: originalUrl! }
    return { ...shared, subject: { kind: 'link', id: row.link_id, ...link }, sinceUs: linkCreatedAtUs! }
  }
  if (row.label_id === null || labelName === null) return undefined
  const subject: SharedLabel = { kind: labelKind as LabelKind, id: row.label_id, name: labelName }
  return { ...shared, subject, sinceUs: row.workspaceCreatedAtUs }
}
