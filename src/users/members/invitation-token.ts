import { newSecret } from '../tokens/secret-text.ts'

/**
 * How the link of an invitation reaches its address. One that was copied went through other hands, so it does not prove that
 * its user reads the mail of that address.
 */
export type InvitationWay = 'mailed' | 'copied'

/** The way is part of the token, and so of its hash: it cannot be changed. */
const PREFIXES: Record<InvitationWay, string> = { mailed: 'im_', copied: 'ic_' }

export const newInvitationToken = (way: InvitationWay): string => PREFIXES[way] + newSecret()

export const wasMailed = (token: string): boolean => token.startsWith(PREFIXES.mailed)
