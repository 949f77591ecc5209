/** What a key may do. `links:write` includes `links:create`. */
export const SCOPES = ['links:create', 'links:read', 'analytics:read', 'links:write'] as const
export type Scope = (typeof SCOPES)[number]

/** Who asks: the account a verb works for. Every query about an account's things takes it from here. */
export type Caller = { accountId: number }
