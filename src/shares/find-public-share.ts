import { shownCode } from '../links/shown-code.ts'
import { publicFacts } from '../links/find-link.ts'
import type { LabelKind } from '../links/labels/label.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { ReadDb } from '../store/handles.ts'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import { hashSecret } from '../users/tokens/secret-text.ts'
import { parsePanels } from './panels.ts'
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
      shownCode,
      'links.title',
      'links.original_url as originalUrl',
      'links.created_at as linkCreatedAtUs',
      ...(['links.starts_at', 'links.expires_at', 'links.max_clicks'] as const),
      'links.password_hash as linkPasswordHash',
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
  const { domainId, code, linkCreatedAtUs, labelKind, labelName } = row
  if (row.link_id !== null && code !== null) {
    const link = { domainId: domainId!, code, title: shownTitle(row, nowUs), originalUrl: row.originalUrl! }
    return { ...shared, subject: { kind: 'link', id: row.link_id, ...link }, sinceUs: linkCreatedAtUs! }
  }
  if (row.label_id === null || labelName === null) return undefined
  const subject: SharedLabel = { kind: labelKind as LabelKind, id: row.label_id, name: labelName }
  return { ...shared, subject, sinceUs: row.workspaceCreatedAtUs }
}

type TitleRow = Pick<LinkOptionColumns, 'starts_at' | 'expires_at' | 'max_clicks'> & {
  panels: string
  title: string | null
  originalUrl: string | null
  linkPasswordHash: string | null
}

/** Where the destination is for visitors only, so is the title, unless the owner shows the destination here. */
function shownTitle(
  { panels, title, originalUrl, linkPasswordHash, ...times }: TitleRow,
  nowUs: number,
): string {
  if (parsePanels(panels).includes('destination')) return title!
  const options = { ...times, password_hash: linkPasswordHash }
  return publicFacts({ title: title!, originalUrl: originalUrl!, options }, nowUs).title
}
