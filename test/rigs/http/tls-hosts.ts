import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, createServer as createTlsServer, type SecureContext } from 'node:tls'
import { skipBecause } from '../../skips.ts'
import { find } from '../outside/proxy-process.ts'
import { OTHER_IP } from '../service/domain-world.ts'

type Certified = {
  /** The name in the certificate, if it is not that of the host. */
  of?: string
  /** -1: it has ended yesterday. */
  days?: number
  isSelfSigned?: boolean
  /** Signed by an intermediate authority, whose certificate the server sends or should have sent. */
  intermediate?: 'sent' | 'missing'
}

/** A server with TLS that has a certificate for each of some hosts, and refuses others as Caddy does. Takes `openssl`. */
export type TlsHosts = {
  port: number
  /** Who has signed the certificates, in PEM. */
  authority: string
  certify(host: string, certified?: Certified): void
  /** How often somebody has connected. */
  connections(): number
  /** How often somebody has asked for the certificate of a host. */
  handshakes(host: string): number
  stop(): Promise<void>
}

/** For the condition of `describe.skipIf`. */
export const hasNoOpenssl = (): boolean =>
  find('openssl') === null && skipBecause('certificates', 'apt-get install openssl')

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const DAYS = '60'

/** Its files. */
type Authority = { key: string; certificate: string }

export async function startTlsHosts(folder: string, port = 0): Promise<TlsHosts> {
  const path = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  const ca = { key: path('authority.key'), certificate: path('authority.crt') }
  openssl(
    'req',
    '-x509',
    ...EC,
    '-days',
    DAYS,
    '-subj',
    '/CN=Test authority',
    '-keyout',
    ca.key,
    '-out',
    ca.certificate,
  )
  const contexts = new Map<string, SecureContext>()
  const handshakes = new Map<string, number>()
  const server = createTlsServer({
    SNICallback: (host, done) => {
      handshakes.set(host, (handshakes.get(host) ?? 0) + 1)
      const context = contexts.get(host)
      if (context === undefined) done(new Error('There is no certificate.'))
      else done(null, context)
    },
  })
  server.on('tlsClientError', () => {})
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(port, OTHER_IP, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    authority: read('authority.crt'),
    certify(host, { of = host, days = Number(DAYS), isSelfSigned = false, intermediate } = {}) {
      const [key, request, certificate] = ['key', 'csr', 'crt'].map((end) => path(`${host}.${end}`)) as [
        string,
        string,
        string,
      ]
      const sign = (by: readonly string[], out: string) =>
        openssl(
          'x509',
          '-req',
          '-in',
          request,
          ...by,
          '-days',
          String(days),
          '-copy_extensions',
          'copy',
          '-out',
          out,
        )
      const signedBy = (by: Authority) => ['-CA', by.certificate, '-CAkey', by.key, '-CAcreateserial']
      const between = { key: path(`${host}.between.key`), certificate: path(`${host}.between.crt`) }
      if (intermediate !== undefined) {
        const isAuthority = ['-subj', '/CN=Between', '-addext', 'basicConstraints=critical,CA:TRUE']
        openssl('req', ...EC, ...isAuthority, '-keyout', between.key, '-out', request)
        sign(signedBy(ca), between.certificate)
      }
      const names = ['-subj', `/CN=${of}`, '-addext', `subjectAltName=DNS:${of}`]
      openssl('req', ...EC, ...names, '-keyout', key, '-out', request)
      const by = signedBy(intermediate === undefined ? ca : between)
      sign(isSelfSigned ? ['-key', key] : by, certificate)
      const sent = intermediate === 'sent' ? [certificate, between.certificate] : [certificate]
      const cert = sent.map((file) => readFileSync(file, 'utf8')).join('')
      contexts.set(host, createSecureContext({ key: readFileSync(key), cert }))
    },
    connections: () => connections,
    handshakes: (host) => handshakes.get(host) ?? 0,
    async stop() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function openssl(...words: string[]): void {
  const ran = Bun.spawnSync([find('openssl')!, ...words])
  if (ran.exitCode !== 0) throw new Error(`No certificate was made: ${ran.stderr}`)
}
