import { sql } from 'kysely'
import { invalid } from '../errors/refusal.ts'
import type { LinksTx } from '../links/change-links.ts'
import type { Tx } from '../store/handles.ts'
import { wholeText } from '../runtime/number-text.ts'

/** Codes that are folded while everything else that changes links waits. */
const CODES_MAX = 10_000
const CONFLICTS_NAMED_MAX = 5

/**
 * Folds the codes of a domain, so that visitors find them whatever case they type. A folded code belongs to the owner of the code that it was,
 * which stays theirs as well, and opens its link. Links keep how their codes were written. Refused where two links would have one code.
 */
export async function foldCodes(
  { tx, claims }: Pick<LinksTx, 'tx' | 'claims'>,
  domainId: number,
): Promise<void> {
  await refuseTooMany(tx, domainId)
  await refuseConflicts(tx, domainId)
  const written = sql`domain_id = ${domainId} AND code <> lower(code)`
  const { rows } = await sql<{ code: string; workspaceId: number | null; linkId: number | null }>`
    INSERT INTO codes (code, domain_id, workspace_id, link_id)
    SELECT lower(code), domain_id, max(workspace_id), max(link_id) FROM codes WHERE ${written}
    GROUP BY lower(code), domain_id
    ON CONFLICT (code, domain_id) DO UPDATE SET link_id = coalesce(codes.link_id, excluded.link_id)
    RETURNING code, workspace_id AS "workspaceId", link_id AS "linkId"`.execute(tx)
  claims.push(
    ...rows.map(({ code, workspaceId, linkId }) => {
      return { domainId, code, workspaceId: workspaceId ?? 0, linkId: linkId ?? 0 }
    }),
  )
  await sql`UPDATE codes SET link_id = NULL WHERE ${written}`.execute(tx)
  for (const table of ['links', 'deleted_links'])
    await sql`UPDATE ${sql.table(table)} SET spelling = code, code = lower(code) WHERE ${written}`.execute(tx)
  await sql`UPDATE deleted_links SET other_keys = lower(other_keys) WHERE domain_id = ${domainId}`.execute(tx)
}

/** Turns it on or off for a domain. */
export async function changeCase(change: LinksTx, domainId: number, isIgnored: boolean): Promise<void> {
  if (isIgnored) await foldCodes(change, domainId)
  else await refuseUnfolding(change.tx, domainId)
  const domains = change.tx.updateTable('domains').set({ case_insensitive: Number(isIgnored) })
  await domains.where('id', '=', domainId).execute()
}

/** Every short URL may have been typed in another case since. */
async function refuseUnfolding(tx: Tx, domainId: number): Promise<void> {
  const used = await tx
    .selectFrom('codes')
    .select('code')
    .where('domain_id', '=', domainId)
    .limit(1)
    .execute()
  if (used.length > 0)
    throw invalid({
      case_insensitive: [
        'The domain has links that visitors open in any case, so this cannot be turned off.',
      ],
    })
}

async function refuseConflicts(tx: Tx, domainId: number): Promise<void> {
  // A code stays with its workspace for good, also without a link.
  const ofSeveral = await codesWithTwins(
    tx,
    sql`domain_id = ${domainId}`,
    sql`count(DISTINCT coalesce(workspace_id, 0)) > 1`,
  )
  if (ofSeveral !== undefined)
    throw invalid({
      case_insensitive: [
        `Some codes of different workspaces differ in their case only: ${ofSeveral}. Each stays with its workspace, also without a link, so case cannot be ignored.`,
      ],
    })
  const ofLinks = await codesWithTwins(
    tx,
    sql`domain_id = ${domainId} AND link_id IS NOT NULL`,
    sql`count(*) > 1`,
  )
  if (ofLinks !== undefined)
    throw invalid({
      case_insensitive: [
        `Some codes differ in their case only: ${ofLinks}. Delete one of each, or move it to another domain, first.`,
      ],
    })
}

type Condition = ReturnType<typeof sql>

/** Names the first codes that differ in their case only, and of which `twins` is true; undefined if there are none. */
async function codesWithTwins(tx: Tx, codes: Condition, twins: Condition): Promise<string | undefined> {
  const { rows } = await sql<{ code: string; other: string }>`
    SELECT min(code) AS code, max(code) AS other FROM codes WHERE ${codes}
    GROUP BY lower(code) HAVING ${twins} ORDER BY lower(code) LIMIT ${CONFLICTS_NAMED_MAX + 1}`.execute(tx)
  if (rows.length === 0) return undefined
  const named = rows.slice(0, CONFLICTS_NAMED_MAX).map(({ code, other }) => `${code} and ${other}`)
  const more = rows.length > CONFLICTS_NAMED_MAX ? ', and others' : ''
  return named.join(', ') + more
}

async function refuseTooMany(tx: Tx, domainId: number): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM codes WHERE domain_id = ${domainId} AND code <> lower(code)
    LIMIT ${CODES_MAX + 1}`.execute(tx)
  if (rows.length > CODES_MAX)
    throw invalid({
      case_insensitive: [
        `The domain has more than ${wholeText(CODES_MAX)} codes with capital letters. Turn this on before links are made or imported.`,
      ],
    })
}
