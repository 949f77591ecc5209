/** The few things that are asked of a database here. */
type Copy = {
  run(text: string): unknown
  query(text: string): { values(): unknown[][] }
}

/** What can be ended, or is good once. All of it is kept as hashes, so nobody can tell which of it was used since. */
export const SIGN_IN_TABLES = ['sessions', 'single_use_tokens', 'invitations', 'recovery_codes']

/**
 * Ends every session, mailed link, invitation and recovery code of a copy. In an older database those that were ended or
 * used since would be good again. A copy of an earlier version may have none of these tables.
 */
export function endSignIns(copy: Copy): void {
  const there = copy.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).values().flat()
  for (const table of SIGN_IN_TABLES.filter((name) => there.includes(name))) copy.run(`DELETE FROM ${table}`)
}
