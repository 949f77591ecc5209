import { codedSentences } from '../errors/field-codes.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type RowInsert, lock, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { invalid } from '../errors/refusal.ts'
import { foldCode } from '../codes/fold-code.ts'
import { boundedList } from './bounded-list.ts'
import { keyText, type LinkKey } from './link-key.ts'
import { findKeysInTrash } from './trash/codes-in-trash.ts'

// Aliases are more codes of a link, on its domain. `codes` has a row for each, as for the code that a link was created with.

export const ALIASES_MAX = 10

const SEPARATOR = '\n'

/** For a SELECT from `links`; see readAliases. */
export const aliasColumn = sql<string | null>`(
  SELECT string_agg(codes.code, ${sql.lit(SEPARATOR)} ORDER BY codes.code) FROM codes
  WHERE codes.link_id = links.id AND codes.code <> links.code
)`.as('aliases')

export const readAliases = (column: string | null): string[] => column?.split(SEPARATOR) ?? []

/** The field in requests. `code`: the schema of one. */
export const aliasesField = (code: z.ZodType<string>) => boundedList(code, { min: 0, max: ALIASES_MAX })

/** The field in responses. */
export const aliasesAnswer = z.array(z.string()).meta({
  description: 'Aliases: more codes that open the link, in alphabetical order.',
  example: [],
})

export const codeTaken = (name: 'custom code' | 'alias'): string[] =>
  codedSentences([{ sentence: `The ${name} has already been taken.`, code: 'code_taken' }])

/** Of a code that a link in the trash of the workspace has. */
export const codeInTrash = (name: 'custom code' | 'alias'): string[] =>
  codedSentences([
    {
      sentence: `The ${name} is that of a link in the trash. Restore the link or delete it for good.`,
      code: 'code_in_trash',
    },
  ])

/** Call it before the keys are read: nobody else changes which aliases the links of the workspace have. */
export const lockAliases = (tx: Tx, workspaceId: number): Promise<void> =>
  lock(tx, `aliases of workspace ${workspaceId}`)

/** A code without a link is released. One that is free, or the workspace's own and open to nothing, opens the link. */
const CHANGED_ALIASES: RowInsert = {
  table: 'codes',
  columns: ['code', 'domain_id', 'workspace_id', 'link_id'],
  texts: ['code'],
  then: `ON CONFLICT (code, domain_id) DO UPDATE SET link_id = excluded.link_id
    WHERE codes.workspace_id = excluded.workspace_id AND (codes.link_id IS NULL OR excluded.link_id IS NULL)
    RETURNING code`,
}

/** As the domain knows them: some ignore case. */
export async function aliasesOn(
  tx: Tx,
  { domainId }: Pick<LinkKey, 'domainId'>,
  aliases: readonly string[],
): Promise<string[]> {
  const domain = await tx
    .selectFrom('domains')
    .select('case_insensitive')
    .where('id', '=', domainId)
    .executeTakeFirst()
  if (domain?.case_insensitive !== 1) return [...aliases]
  const codes = aliases.map(foldCode)
  const repeated = codes.findIndex((code, at) => codes.indexOf(code) < at)
  if (repeated !== -1) throw invalid({ [`aliases.${repeated}`]: codeRepeated() })
  return codes
}

export const usedTwice = (name: string): string => `The ${name} is used twice in this request.`

/** Of codes that differ in their case only. */
export const codeRepeated = (): string[] =>
  codedSentences([
    { sentence: 'The code is used twice in this request: this domain ignores case.', code: 'repeated' },
  ])

type AliasChange = {
  workspaceId: number
  linkId: number
  /** The key that the link was created with. */
  own: LinkKey
  /** All that open it now. */
  keys: readonly LinkKey[]
}

/**
 * Gives the link these aliases and no others, and returns the keys that open it only now. A code that is removed stays the
 * workspace's. All rows are locked in the order in which a creation claims codes.
 */
export async function replaceAliases(
  tx: Tx,
  { workspaceId, linkId, own: { domainId, code: ownCode }, keys }: AliasChange,
  aliases: readonly string[],
): Promise<LinkKey[]> {
  if (aliases.includes(ownCode))
    throw invalid({ [`aliases.${aliases.indexOf(ownCode)}`]: ['The alias is the code of the link itself.'] })
  const before = keys.map(({ code }) => code).filter((code) => code !== ownCode)
  const newCodes = aliases.filter((code) => !before.includes(code))
  const oldCodes = before.filter((code) => !aliases.includes(code))
  const rows = [
    ...newCodes.map((code) => [code, domainId, workspaceId, linkId] as const),
    ...oldCodes.map((code) => [code, domainId, workspaceId, null] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const codes = new Set(
    (await writeRows<{ code: string }>(tx, CHANGED_ALIASES, rows)).map(({ code }) => code),
  )
  const keysInTrash = await findKeysInTrash(
    tx,
    workspaceId,
    newCodes.map((code) => ({ domainId, code })),
  )
  const errors = newCodes.flatMap((code) => {
    const field = `aliases.${aliases.indexOf(code)}`
    if (!codes.has(code)) return [[field, codeTaken('alias')] as const]
    return keysInTrash.has(keyText({ domainId, code })) ? [[field, codeInTrash('alias')] as const] : []
  })
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  return newCodes.map((code) => ({ domainId, code }))
}
