import {
  CERTIFICATE_RESULTS,
  type CertificateResult,
  type ServerCertificate,
} from '../destination-pages/server-certificate.ts'
import { DAY_US } from '../runtime/clock.ts'
import type { StoredDomain } from './find-domains.ts'

/** A certificate ends between two looks at it, so what was found then says nothing of it. */
export const CERTIFICATE_STATES = ['valid', 'expired', ...CERTIFICATE_RESULTS.slice(1)] as [
  'valid',
  'expired',
  ...Exclude<CertificateResult, 'valid'>[],
]
export type CertificateState = (typeof CERTIFICATE_STATES)[number]

/** Clients such as certbot and Caddy renew weeks earlier. */
const ENDS_SOON_US = 7 * DAY_US

export function certificateState({ result, endsUs }: ServerCertificate, nowUs: number): CertificateState {
  return endsUs !== null && endsUs <= nowUs ? 'expired' : result
}

export const endsSoon = ({ endsUs }: ServerCertificate, nowUs: number): boolean =>
  endsUs !== null && endsUs - nowUs < ENDS_SOON_US

type CertificateColumns = Pick<StoredDomain, 'certificate_result' | 'certificate_ends_at'>

export const certificateColumns = (certificate: ServerCertificate | undefined): CertificateColumns => ({
  certificate_result: certificate?.result ?? null,
  certificate_ends_at: certificate?.endsUs ?? null,
})

/** Null if it was not looked at. */
export function storedCertificate(columns: CertificateColumns): ServerCertificate | null {
  const result = CERTIFICATE_RESULTS.find((each) => each === columns.certificate_result)
  return result === undefined ? null : { result, endsUs: columns.certificate_ends_at }
}
