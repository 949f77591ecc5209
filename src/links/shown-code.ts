import { sql } from 'kysely'

/** As it was written: the code itself may be folded. For a SELECT from `links`. */
export const shownCode = sql<string>`coalesce(links.spelling, links.code)`.as('code')
