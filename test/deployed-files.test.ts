import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { couldBeCode } from '../src/codes/code-rules.ts'
import { ConfigErrors, readConfig, SETTING_NOTES } from '../src/config/config.ts'
import { cannotRun, find, PROXIES } from './rigs/outside/proxy-process.ts'
import { skipBecause } from './skips.ts'

const ROOT = dirname(import.meta.dir)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'tern-deployed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const linesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

describe('the settings in deploy/', () => {
  test('are settings of the program', () => {
    const named = [
      ...Object.keys({ ...ofUnit(unit), ...ofUnit(template), ...ofDockerfile }),
      ...linesOf(envFile, /^#?([A-Z_]+)=/gm),
      ...nodes.flatMap(({ environment }) => Object.keys(environment!)),
    ]
    const known = new Set(SETTING_NOTES.map(({ name }) => name))
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('are accepted by it', () => {
    const instance = (text: string) => text.replaceAll('%i', '3001').replaceAll('%H', 'host')
    for (const environment of [
      { ...ofUnit(unit), ...ofEnvFile },
      { ...ofUnit(instance(template)), ...ofEnvFile },
      assignments(linesOf(envFile, /^#?([A-Z_]+=.+)$/gm)),
      ...nodes.map(({ environment }) => ({ ...ofDockerfile, ...withVariables(environment!) })),
    ])
      expect(faultsOf(environment)).toEqual([])
  })

  test('leave a template its port: the settings file overrides the unit', () => {
    expect(Object.keys(ofEnvFile)).not.toContain('PORT')
    expect(Object.keys(ofUnit(template))).toEqual(['PORT', 'NODE_NAME', 'DATA_DIR'])
  })
})

describe('the units', () => {
  test('differ only in what makes a node', () => {
    const PARTICULAR = /^(#|Description=|Environment=|StateDirectory=|WorkingDirectory=)/
    const common = (text: string) => text.split('\n').filter((line) => !PARTICULAR.test(line))
    expect(common(template)).toEqual(common(unit))
  })

  test('give the program time to exit', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThanOrEqual(STOP_SECONDS_MIN)
  })

  const hasNoSystemd =
    find('systemd-analyze') === null && skipBecause('the units of systemd', 'apt-get install systemd')
  describe.skipIf(hasNoSystemd)('', () => {
    const analyze = (...words: string[]) => Bun.spawnSync([find('systemd-analyze')!, ...words])

    test.each(['tern.service', 'tern@.service'])('are understood by systemd: %s', (name) => {
      // It looks for the program too.
      writeFileSync(
        join(folder, name),
        read(`deploy/${name}`).replace('/usr/local/bin/tern serve', '/bin/true'),
      )
      const { exitCode, stderr } = analyze('verify', join(folder, name))
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
    })

    test('restrict the program to what it needs', () => {
      const { exitCode, stdout } = analyze(
        'security',
        '--offline=true',
        '--threshold=15',
        join(ROOT, 'deploy/tern.service'),
      )
      expect([exitCode, stdout.toString().split('\n').at(-2)]).toEqual([0, expect.stringContaining('OK')])
    })
  })
})

describe('the container', () => {
  test('is built from files that exist and are in its context', () => {
    const copied = linesOf(dockerfile, /^COPY (?!--from)(.*)$/gm).flatMap((line) =>
      line.split(' ').slice(0, -1),
    )
    expect(copied).toContain('src')
    const context = linesOf(read('deploy/Dockerfile.dockerignore'), /^!(.*)$/gm)
    expect(context.sort()).toEqual(copied.sort())
    for (const path of copied) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
    expect(read('package.json')).toContain('"build": "bun build/build-executable.ts"')
  })

  test('runs commands that the program has, on the port that it listens on', () => {
    const commands = readdirSync(join(ROOT, 'src/cli/commands')).join(' ')
    for (const [, command] of dockerfile.matchAll(/CMD \[(?:"tern", )?"(\w+)"\]/g))
      expect(commands).toContain(`${command}-command.ts`)
    expect(/^EXPOSE (\d+)$/m.exec(dockerfile)![1]).toBe(String(readConfig({}).port))
    expect(ofDockerfile.DATA_DIR).toBe(/^VOLUME (.*)$/m.exec(dockerfile)![1])
  })
})

const compose = Bun.YAML.parse(read('deploy/compose.yml')) as Compose

const nodes = Object.values(compose.services).filter(
  ({ environment }) => environment?.NODE_NAME !== undefined,
)

describe('the composed services', () => {
  const addressOf = ({ networks }: Service) =>
    (networks as { inside: { ipv4_address: string } }).inside.ipv4_address
  const port = readConfig({}).port
  const behind = nodes.map((node) => `${addressOf(node)}:${port}`)

  test('are two nodes of one database, each with its own folder', () => {
    expect(nodes).toHaveLength(2)
    expect(new Set(nodes.map(({ environment }) => environment!.DATABASE_URL)).size).toBe(1)
    for (const part of ['NODE_NAME', 'volumes'] as const) {
      const parts = nodes.map((node) => String(part === 'volumes' ? node.volumes : node.environment![part]))
      expect(new Set(parts).size).toBe(2)
    }
    const kept = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]!),
    )
    expect(kept.filter((name) => !name.startsWith('./')).sort()).toEqual(Object.keys(compose.volumes).sort())
    for (const { stop_grace_period: grace } of nodes)
      expect(parseInt(grace!)).toBeGreaterThanOrEqual(STOP_SECONDS_MIN)
  })

  test('and the proxies are connected', () => {
    for (const file of ['haproxy.cfg', 'nginx.conf']) {
      const servers = linesOf(read(`deploy/${file}`), /^\s*server (?:node\d )?([\d.]+:\d+)[ ;\n]/gm)
      expect([file, servers]).toEqual([file, [...behind, ...behind]])
    }
    const haproxy = compose.services.haproxy!
    for (const { environment } of nodes) expect(environment!.TRUSTED_PROXIES).toBe(addressOf(haproxy))
    const binds = linesOf(read('deploy/haproxy.cfg'), /^\s*bind :(\d+)/gm)
    expect(haproxy.ports).toEqual(binds.map((bind) => `${bind}:${bind}`))
    expect(read('deploy/haproxy.cfg')).toContain(`crt ${haproxy.volumes!.at(-1)!.split(':')[1]}/`)
    expect(read('deploy/Caddyfile')).toContain(`{$NODES:127.0.0.1:${port}}`)
  })
})

describe.each(PROXIES.map((kind) => [kind.file, kind] as const))('%s', (file, kind) => {
  const text = read(`deploy/${file}`)

  test('routes none of the program’s pages as short URLs', () => {
    const [pattern] = /\^\/\[A-Za-z0-9_-\]\{\d+,\d+\}\$/.exec(text)!
    const isShort = (segment: string) => new RegExp(pattern!).test(`/${segment}`)
    for (const segment of ['ab', 'abc', 'a_-9', 'a.b', 'a/b', 'x'.repeat(64), 'x'.repeat(65)])
      expect([segment, isShort(segment)]).toEqual([segment, couldBeCode(segment)])
    for (const page of ['docs', 'dashboard', 'metrics']) expect(text).toMatch(new RegExp(`[(|/]${page}\\b`))
  })

  test.skipIf(cannotRun(kind))('is accepted by the real program, without a warning', () => {
    const place = {
      folder: mkdtempSync(join(folder, 'proxy-')),
      nodes: [3001, 3002],
      plainPort: 8080,
      tlsPort: 8443,
      domains: ['go.example', 'sale.example'],
    } as const
    const { check, environment } = kind.configure(place)
    const { exitCode, stdout, stderr } = Bun.spawnSync(check, {
      cwd: place.folder,
      env: { PATH: process.env.PATH!, ...environment },
    })
    const warnings = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => /warn/i.test(line) && !INTENDED.test(line))
    expect([exitCode, warnings]).toEqual([0, []])
  })
})

const unit = read('deploy/tern.service')
const template = read('deploy/tern@.service')
const envFile = read('deploy/tern.env')
const dockerfile = read('deploy/Dockerfile')
const ofEnvFile = assignments(linesOf(envFile, /^([A-Z_]+=.*)$/gm))
const ofDockerfile = assignments(linesOf(dockerfile, /^ENV (.*)$/gm))

function assignments(lines: Iterable<string>): Environment {
  return Object.fromEntries(
    [...lines].map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** What Caddy says of the listener that only redirects to HTTPS. */
const INTENDED = /server is listening only on the HTTP port/

/** Longer than the program needs to end. */
const STOP_SECONDS_MIN = 15

type Service = {
  environment?: Record<string, string>
  networks?: { inside: { ipv4_address: string } } | string[]
  volumes?: string[]
  ports?: string[]
  stop_grace_period?: string
}
type Compose = { services: Record<string, Service>; volumes: Record<string, null> }
type Environment = Record<string, string>

const ofUnit = (text: string) =>
  assignments(linesOf(text, /^Environment=(.*)$/gm).flatMap((line) => line.split(' ')))
/** As the operator's .env says it. */
const withVariables = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):\?\}/g, (_, variable) =>
        variable === 'BASE_URL' ? 'https://s.example.com' : 'letters4nddigits',
      ),
    ]),
  )

/** The sentences of the start about these settings. */
function faultsOf(environment: Environment): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as ConfigErrors).errors
  }
}
