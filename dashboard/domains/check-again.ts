import type { DomainRow } from './domain-queries.ts'

/** DNS servers cache a response for minutes, so more frequent checks would find nothing new. */
const RECORDS_EVERY_MS = 15_000
/** Obtaining a certificate takes longer, and each attempt is limited by its authority. */
const CERTIFICATE_EVERY_MS = 60_000
/** Some records and certificates take days. Then one asks for the check. */
const CHECKED_FOR_MS = 10 * 60_000

type Checked = Pick<DomainRow, 'status'> & {
  certificate: Pick<NonNullable<DomainRow['certificate']>, 'status'> | null
}

/** What a page that waits for a domain does next. `records` and `certificate` are missing, and checked again by itself. */
export type Waiting = 'records' | 'certificate' | 'stopped' | 'done'

/** `waitedMs`: since the page was opened or somebody asked for a check. */
export function waitingFor(domain: Checked | undefined, waitedMs: number): Waiting {
  const pointsHere = domain?.status === 'active'
  if (pointsHere && (domain.certificate === null || domain.certificate.status === 'valid')) return 'done'
  if (waitedMs >= CHECKED_FOR_MS) return 'stopped'
  return pointsHere ? 'certificate' : 'records'
}

/** False: not by itself. */
export const CHECK_AGAIN_MS: Record<Waiting, number | false> = {
  records: RECORDS_EVERY_MS,
  certificate: CERTIFICATE_EVERY_MS,
  stopped: false,
  done: false,
}
