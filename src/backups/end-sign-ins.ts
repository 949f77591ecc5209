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
 * used since would be good again.
 */
export function endSignIns(copy: { run(text: string): unknown }): void {
  for (const table of SIGN_IN_TABLES) copy.run(`DELETE FROM ${table}`)
}
