/** What this file needs of a database. */
type Copy = {
  run(text: string): unknown
  query(text: string): { values(): unknown[][] }
}

/** Sessions and single-use secrets. Only hashes are stored, so which of them were used since is unknown. */
export const SIGN_IN_TABLES = [
  'sessions',
  'single_use_tokens',
  'invitations',
  'workspace_invitations',
  'recovery_codes',
]

/**
 * Ends every session, mailed link, invitation and recovery code of a copy. In an older database those that were ended or
 * used since would be good again. A copy of an earlier version may have none of these tables.
 */
export function endSignIns(copy: Copy): void {
  const there = copy.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).values().flat()
  for (const table of SIGN_IN_TABLES.filter((name) => there.includes(name))) copy.run(`DELETE FROM ${table}`)
}
