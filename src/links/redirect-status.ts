/** What a link may redirect with. */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

/** Unless the owner says otherwise. Not 301: browsers keep it, and an edited link would go on opening its old destination. */
export const REDIRECT_STATUS = 302 satisfies RedirectStatus

/** For sentences. */
export const STATUSES_TEXT = `${REDIRECT_STATUSES.slice(0, -1).join(', ')} or ${REDIRECT_STATUSES.at(-1)}`
