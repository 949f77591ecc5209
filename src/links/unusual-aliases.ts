import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import { isReservedOn } from '../codes/unusual-code.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { invalid } from '../errors/refusal.ts'
import type { Tx } from '../store/handles.ts'
import { aliasesOn } from './aliases.ts'
import { customCode } from './fields/basic-fields.ts'
import type { LinkKey } from './link-key.ts'
import { codeReserved } from './place-unusual.ts'

/** `schema`: of the codes that the workspace allows for new links. Those that it has already, it may give to its links whatever they are. */
export async function refuseUnusualAliases(
  tx: Tx,
  { workspaceId }: Caller,
  {
    domainId,
    aliases,
    schema = customCode,
  }: Pick<LinkKey, 'domainId'> & { aliases: readonly string[]; schema?: z.ZodType<string> | undefined },
): Promise<void> {
  const faults = aliases.flatMap((alias, at) => {
    const issues = schema.safeParse(alias).error?.issues ?? []
    if (issues.length > 0) {
      const path = ['aliases', at]
      return { at, errors: fieldErrorsOf(issues.map((issue) => ({ ...issue, path }))) }
    }
    return isReservedOn(domainId, alias) ? { at, errors: { [`aliases.${at}`]: codeReserved(alias) } } : []
  })
  if (faults.length === 0) return
  const codes = await aliasesOn(tx, { domainId }, aliases)
  const owned = await tx
    .selectFrom('codes')
    .select('code')
    .where('code', 'in', codes)
    .where('domain_id', '=', domainId)
    .where('workspace_id', '=', workspaceId)
    .execute()
  const own = new Set(owned.map(({ code }) => code))
  const errors = faults.flatMap(({ at, errors }) => (own.has(codes[at]!) ? [] : [errors]))
  if (errors.length > 0) throw invalid(Object.assign({}, ...errors))
}
