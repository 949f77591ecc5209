import type { CurrentDb } from '../store/handles.ts'
import type { LinkKey } from './link-key.ts'
import type { Conditions } from './rules/condition-fields.ts'
import { parseRules } from './rules/rule-ids.ts'
import { latestDestinationChange } from './versions/list-destinations.ts'

/** What the preview page of a link says besides where it leads. */
export type LinkPreview = {
  /** As its owner has given it; '' without one. */
  title: string
  workspaceId: number
  hasPassword: boolean
  createdAtUs: number
  /** Null if the destination is the first one. */
  destinationChangedAtUs: number | null
  /** What its destination depends on, by its rules. */
  dependsOn: (keyof Conditions | 'split')[]
}

export async function findPreview(
  { db }: { db: CurrentDb },
  { domainId, code }: LinkKey,
): Promise<LinkPreview | undefined> {
  const row = await db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select([
      'links.id',
      'links.workspace_id as workspaceId',
      'links.title',
      'links.created_at as createdAtUs',
      'links.rules',
      'links.password_hash',
    ])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, rules, password_hash: passwordHash, ...shown } = row
  return {
    ...shown,
    hasPassword: passwordHash !== null,
    destinationChangedAtUs: await latestDestinationChange(db, id),
    dependsOn: dependenciesOf(rules),
  }
}

function dependenciesOf(rules: string | null): LinkPreview['dependsOn'] {
  const parts = (parseRules(rules) ?? []).flatMap(({ when, split }) => [
    ...(Object.keys(when ?? {}) as (keyof Conditions)[]),
    ...(split === undefined ? [] : ['split' as const]),
  ])
  return [...new Set(parts)]
}
