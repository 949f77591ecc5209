import { afterAll, describe } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { skipBecause } from '../../skips.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'

const DEPLOY = join(join(import.meta.dir, '../../..'), 'deploy')
const SYSTEM_PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`
/** As the files in deploy/ have them. */
const NODES = ['172.30.71.11:3000', '172.30.71.12:3000']
const IS_ROOT = process.getuid?.() === 0

export const find = (program: string): string | null => Bun.which(program, { PATH: SYSTEM_PATH })

/** Where a proxy is to be: its files, the ports of the nodes behind it, and its own. */
export type ProxyPlace = {
  folder: string
  nodes: readonly [number, number]
  plainPort: number
  tlsPort: number
  /** Further domains with a certificate each, set up as the file says. */
  domains?: readonly string[]
  /** Where Tern is on its host, as docs/operations.md says: `/links`. The rest of the host is somebody else's. */
  basePath?: string
  /** Where the file sends the challenges of certbot: a folder, or the port of its own server. */
  certbot?: { folder: string; port: number }
}

type Configured = { check: string[]; serve: string[]; environment?: Record<string, string> }
export type ProxyKind = {
  name: string
  /** Its file in deploy/. */
  file: string
  /** Turns to another node when one says that it is about to end. */
  asksHealth: boolean
  /** Puts the file from deploy/ into the folder, changed only in what an operator changes too. */
  configure(place: ProxyPlace): Configured
}

export const PROXIES: readonly ProxyKind[] = [
  { name: 'haproxy', file: 'haproxy.cfg', asksHealth: true, configure: configureHaproxy },
  { name: 'nginx', file: 'nginx.conf', asksHealth: false, configure: configureNginx },
  { name: 'caddy', file: 'Caddyfile', asksHealth: true, configure: configureCaddy },
]

/** For the condition of `describe.skipIf`. */
export function cannotRun({ name }: ProxyKind): boolean {
  const isMissing = [name, 'openssl'].find((program) => find(program) === null)
  return isMissing !== undefined && skipBecause(`Tern behind ${name}`, `apt-get install ${isMissing}`)
}

/** A suite for each kind of proxy that is installed. */
export function describeBehindProxies(title: string, suite: (kind: ProxyKind) => void): void {
  for (const kind of PROXIES) describe.skipIf(cannotRun(kind))(`${title} ${kind.name}`, () => suite(kind))
}

/** A folder for a suite that the workers of a proxy can read, which run as another user. */
export function useProxyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tern-proxies-'))
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

function configureHaproxy(place: ProxyPlace): Configured {
  const { folder, plainPort, tlsPort } = place
  const certificates = join(folder, 'certificates')
  mkdirSync(certificates)
  const { certificate, key } = makeCertificate(folder)
  writeFileSync(join(certificates, 'site.pem'), readFileSync(certificate) + '' + readFileSync(key))
  for (const domain of place.domains ?? []) {
    const own = certificateIn(folder, domain)
    const pem = readFileSync(own.certificate) + '' + readFileSync(own.key)
    writeFileSync(join(certificates, `${domain}.pem`), pem)
  }
  const text = changed(readDeployed('haproxy.cfg'), [
    ...nodeChanges(place),
    ...behindPath(place, [
      ['^/[A-Za-z0-9_-]{3,64}$', '^/links/[A-Za-z0-9_-]{3,64}$'],
      [
        'acl is_page path /docs /dashboard /metrics',
        'acl is_page path /links/docs /links/dashboard /links/metrics',
      ],
      [
        'default_backend everything_else',
        'use_backend everything_else if { path /links } || { path_beg /links/ }',
      ],
    ]),
    ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
    ['bind :443 ssl', `bind 127.0.0.1:${tlsPort} ssl`],
    ['/etc/haproxy/certs/', certificates],
    ['/run/haproxy/admin.sock', join(folder, 'admin.sock')],
    ...(place.certbot ? ([['127.0.0.1:8888', `127.0.0.1:${place.certbot.port}`]] as const) : []),
    // Only root can become somebody else.
    ...(IS_ROOT ? [] : ([['    user haproxy\n    group haproxy\n', '']] as const)),
  ])
  const file = write(folder, 'haproxy.cfg', text)
  const haproxy = find('haproxy')!
  return { check: [haproxy, '-c', '-f', file], serve: [haproxy, '-db', '-f', file] }
}

function configureNginx(place: ProxyPlace): Configured {
  const { folder, plainPort, tlsPort } = place
  const deployed = readDeployed('nginx.conf')
  const ofPort443 = deployed.slice(deployed.lastIndexOf('\nserver {'))
  const copies = (place.domains ?? []).map((domain) =>
    nginxServer(ofPort443, domain, certificateIn(folder, domain)),
  )
  const text = changed(nginxServer(deployed, 'localhost', makeCertificate(folder)) + copies.join(''), [
    ...nodeChanges(place),
    ...behindPath(place, [
      ['^/(docs|dashboard|metrics)$', '^/links/(docs|dashboard|metrics)$'],
      ['^/[A-Za-z0-9_-]{3,64}$', '^/links/[A-Za-z0-9_-]{3,64}$'],
      ['location / {\n        proxy_pass', 'location /links/ {\n        proxy_pass'],
    ]),
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2;`],
    ['/var/www/certbot', place.certbot?.folder ?? folder],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
  ])
  const site = write(folder, 'tern.conf', text)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ')
  const file = write(
    folder,
    'nginx.conf',
    `daemon off; worker_processes 2; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
     events { worker_connections 1024; } http { ${temporary} include ${site}; }`,
  )
  const command = [find('nginx')!, '-c', file, '-p', folder, '-e', join(folder, 'error.log')]
  return { check: [...command, '-t'], serve: command }
}

/** The name and certificate of its servers, as an operator changes them. */
const nginxServer = (text: string, host: string, { certificate, key }: Certificate): string =>
  changed(text, [
    ['server_name s.example.com;', `server_name ${host};`],
    ['/etc/nginx/tls/s.example.com.crt', certificate],
    ['/etc/nginx/tls/s.example.com.key', key],
  ])

function configureCaddy(place: ProxyPlace): Configured {
  const { folder, nodes, plainPort, tlsPort } = place
  const ownPorts = `{\n\thttp_port ${plainPort}\n\thttps_port ${tlsPort}\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n`
  const changes: Change[] = [
    ['\n{\n', `\n${ownPorts}`],
    ...behindPath(place, [
      ['^/[A-Za-z0-9_-]{3,64}$', '^/links/[A-Za-z0-9_-]{3,64}$'],
      ['not path /docs /dashboard /metrics', 'not path /links/docs /links/dashboard /links/metrics'],
      ['\thandle {\n\t\treverse_proxy', '\t@tern path /links /links/*\n\thandle @tern {\n\t\treverse_proxy'],
    ]),
  ]
  const file = write(folder, 'Caddyfile', changed(readDeployed('Caddyfile'), changes))
  const options = ['--config', file, '--adapter', 'caddyfile']
  return {
    check: [find('caddy')!, 'validate', ...options],
    serve: [find('caddy')!, 'run', ...options],
    environment: {
      HOME: folder,
      SITE: 'localhost',
      ASK: `127.0.0.1:${nodes[0]}`,
      NODES: nodes.map((port) => `127.0.0.1:${port}`).join(' '),
    },
  }
}

const readDeployed = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

type Change = readonly [from: string, to: string]

const nodeChanges = ({ nodes }: ProxyPlace): Change[] =>
  NODES.map((address, i) => [address, `127.0.0.1:${nodes[i]}`])

/** What docs/operations.md says about a server behind a path. */
const behindPath = ({ basePath }: ProxyPlace, changes: Change[]): Change[] =>
  basePath === undefined ? [] : changes.map(([from, to]) => [from, to.replaceAll('/links', basePath)])

/** Everywhere; what is to be changed must be there. */
function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The configuration has no ${JSON.stringify(from)}.`)
    return before.replaceAll(from, to)
  }, text)
}

type Certificate = { certificate: string; key: string }

function certificateIn(folder: string, host: string): Certificate {
  const own = join(folder, host)
  mkdirSync(own)
  return makeCertificate(own, host)
}

/** Signed by itself. Takes `openssl`. */
export function makeCertificate(folder: string, host = 'localhost'): Certificate {
  const [certificate, key] = [join(folder, 'site.crt'), join(folder, 'site.key')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const made = Bun.spawnSync([
    find('openssl')!,
    'req',
    ...kind,
    ...names,
    '-keyout',
    key,
    '-out',
    certificate,
  ])
  if (made.exitCode !== 0) throw new Error(`No certificate was made: ${made.stderr}`)
  return { certificate, key }
}

/** A proxy that runs, as deploy/ configures it. */
export class ProxyProcess {
  readonly plainPort: number
  readonly tlsPort: number
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  #said = ''

  private constructor(kind: ProxyKind, place: ProxyPlace) {
    this.plainPort = place.plainPort
    this.tlsPort = place.tlsPort
    const { serve, environment } = kind.configure(place)
    this.#child = Bun.spawn(serve, {
      cwd: place.folder,
      env: { PATH: SYSTEM_PATH, ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) void this.#read(stream)
  }

  static async start(kind: ProxyKind, place: Omit<ProxyPlace, 'plainPort' | 'tlsPort'>) {
    const proxy = new ProxyProcess(kind, { ...place, plainPort: freePort(), tlsPort: freePort() })
    const isUp = () =>
      proxy.get(`${place.basePath ?? ''}/api/health`).then(
        ({ status }) => status === 200,
        () => false,
      )
    if (await eventually(isUp, Boolean)) return proxy
    await proxy.stop()
    throw new Error(`${kind.name} does not answer: ${proxy.said}`)
  }

  /** Its log. */
  get said(): string {
    return this.#said
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`https://localhost:${this.tlsPort}${path}`, {
      headers,
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
    })
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await this.#child.exited
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of stream) this.#said += decoder.decode(bytes, { stream: true })
  }
}

/** A connection as a visitor makes it, to a proxy whose certificate nobody has signed. */
export const connectToProxy = (port: number, localAddress?: string) =>
  connectTls({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    rejectUnauthorized: false,
    ...(localAddress === undefined ? {} : { localAddress }),
  })
