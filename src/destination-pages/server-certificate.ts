import type { LookupFunction } from 'node:net'
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import { systemClock } from '../runtime/clock.ts'

/**
 * `incomplete_chain`: the server sends its own certificate only, and no known authority has signed that one: the intermediate
 * certificate is missing, or the authority is not known. `untrusted`: everything else that browsers warn of, such as a chain that
 * leads to an authority that is not known. `no_answer`: nothing there speaks TLS, or it has no certificate for the host.
 */
export const CERTIFICATE_RESULTS = [
  'valid',
  'wrong_host',
  'self_signed',
  'incomplete_chain',
  'untrusted',
  'no_answer',
] as const
export type CertificateResult = (typeof CERTIFICATE_RESULTS)[number]

/** What visitors of a host get. `endsUs`: null without an answer. `result` says nothing of the end, which comes by itself. */
export type ServerCertificate = { result: CertificateResult; endsUs: number | null }

export type CertificatePlace = {
  name: string
  port: number
  /** Only to the addresses that were checked. */
  lookup: LookupFunction
  /** Instead of the authorities that the machine trusts. */
  authorities?: readonly string[] | undefined
}

const MICROSECONDS = 1000
const NO_ANSWER: ServerCertificate = { result: 'no_answer', endsUs: null }

/** The certificate that a server shows for a name. Sends nothing but the handshake. */
export function readServerCertificate(
  { name, port, lookup, authorities }: CertificatePlace,
  signal: AbortSignal,
): Promise<ServerCertificate> {
  if (signal.aborted) return Promise.resolve(NO_ANSWER)
  return new Promise((resolve) => {
    const ca = authorities === undefined ? {} : { ca: [...authorities] }
    const place = { host: name, port, lookup, servername: name, ...ca }
    // Read even if it is not valid: that is the question.
    const socket = connect({ ...place, rejectUnauthorized: false })
    const end = (found: ServerCertificate) => {
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(found)
    }
    const giveUp = () => end(NO_ANSWER)
    signal.addEventListener('abort', giveUp)
    socket.on('secureConnect', () => end(certificateOf(socket, name)))
    socket.on('error', giveUp)
    socket.on('close', giveUp)
  })
}

function certificateOf(socket: TLSSocket, name: string): ServerCertificate {
  const certificate = socket.getPeerCertificate()
  // A server may agree on a connection without one.
  if (certificate?.valid_to === undefined) return NO_ANSWER
  const endsUs = Date.parse(certificate.valid_to) * MICROSECONDS
  if (Number.isNaN(endsUs)) return NO_ANSWER
  if (checkServerIdentity(name, certificate) !== undefined) return { result: 'wrong_host', endsUs }
  // By its code, although the types say an error.
  const failure = socket.authorized ? undefined : String(socket.authorizationError)
  return { result: failure === undefined ? 'valid' : resultOf(failure, endsUs), endsUs }
}

function resultOf(failure: string, endsUs: number): CertificateResult {
  // Its end says it. If that is still to come, an intermediate certificate has expired.
  if (failure === 'CERT_HAS_EXPIRED') return endsUs <= systemClock.nowUs() ? 'valid' : 'untrusted'
  if (failure === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'self_signed'
  return failure === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' ? 'incomplete_chain' : 'untrusted'
}
