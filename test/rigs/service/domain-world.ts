import { createServer } from 'node:http'
import type { ServiceOptions } from '../../../src/cli/service/open-service.ts'
import { startDnsServer, txtRecord } from '../outside/dns-server.ts'
import { freePort } from '../free-port.ts'
import { PRIVATE_IP, PUBLIC_IP } from '../outside/page-server.ts'

/** The DNS and the web server of those who own domains, on this machine. Tern itself is on another address of it. */
export type DomainWorld = {
  settings: Record<string, string>
  options: ServiceOptions
  /** Where the proof of a host is set: the value of its TXT record. */
  txt: Map<string, string>
  /** IPv4 addresses by host. */
  addresses: Map<string, string>
  /** What the owner's web server says at `/.well-known/tern-domain`, by host. */
  files: Map<string, string>
  stop(): Promise<void>
}

/** `tern` is the address that Tern serves; every other is not. */
export const OWN_IP = PRIVATE_IP
export const OTHER_IP = PUBLIC_IP

export async function startDomainWorld(): Promise<DomainWorld> {
  const [txt, addresses, files] = [0, 1, 2].map(() => new Map<string, string>()) as [
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
  ]
  addresses.set('tern.example', OWN_IP)
  const dns = await startDnsServer((name, type) => {
    if (type === 'TXT') return txt.has(name) ? [txtRecord(txt.get(name)!)] : []
    const address = addresses.get(name)
    return type === 'A' && address !== undefined ? [Uint8Array.from(address.split('.').map(Number))] : []
  })
  const port = freePort()
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const text = request.url === '/.well-known/tern-domain' ? files.get(host) : undefined
    if (text?.startsWith('http')) return void response.writeHead(302, { Location: text }).end()
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(port, OTHER_IP, resolve))
  return {
    settings: { PORT: String(port), BASE_URL: `http://tern.example:${port}`, FETCH_DESTINATIONS: '1' },
    options: { reachableIps: [OWN_IP, OTHER_IP], dnsServers: [dns.address] },
    txt,
    addresses,
    files,
    async stop() {
      dns.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
