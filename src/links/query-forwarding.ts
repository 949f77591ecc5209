/**
 * What becomes of the visitor's query: parameters of the destination win (`true`), or the visitor's replace those of the same name
 * (`replace`). As requests and responses say it.
 */
export type QueryForwarding = boolean | 'replace'

/** As the column has it: NULL in a plain link. */
export const storedForwarding = (forwarding: QueryForwarding | null): number | null =>
  forwarding === 'replace' ? REPLACING : forwarding === true ? ADDING : null

export const shownForwarding = (stored: number | null): QueryForwarding =>
  stored === REPLACING ? 'replace' : stored === ADDING

const ADDING = 1
const REPLACING = 2
