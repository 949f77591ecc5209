import type { Caller } from '../access/caller.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { invalid } from '../errors/refusal.ts'
import type { Tx } from '../store/handles.ts'
import { aliasesOn } from './aliases.ts'
import { customCode } from './fields/basic-fields.ts'
import type { LinkKey } from './link-key.ts'

/** Only an import makes codes that new links cannot have. The workspace keeps those, and may give them to its links. */
export async function refuseUnusualAliases(
  tx: Tx,
  { workspaceId }: Caller,
  { domainId, aliases }: Pick<LinkKey, 'domainId'> & { aliases: readonly string[] },
): Promise<void> {
  const unusual = aliases.flatMap((alias, at) => {
    const issues = customCode.safeParse(alias).error?.issues ?? []
    return issues.length === 0
      ? []
      : { at, issues: issues.map((issue) => ({ ...issue, path: ['aliases', at] })) }
  })
  if (unusual.length === 0) return
  const codes = await aliasesOn(tx, { domainId }, aliases)
  const owned = await tx
    .selectFrom('codes')
    .select('code')
    .where('code', 'in', codes)
    .where('domain_id', '=', domainId)
    .where('workspace_id', '=', workspaceId)
    .execute()
  const own = new Set(owned.map(({ code }) => code))
  const errors = unusual.filter(({ at }) => !own.has(codes[at]!)).flatMap(({ issues }) => issues)
  if (errors.length > 0) throw invalid(fieldErrorsOf(errors))
}
