import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { becomes, until } from '../../rigs/eventually.ts'
import { freePort } from '../../rigs/free-port.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'
import type { ClientAnswer } from '../../rigs/http/keep-alive-client.ts'
import { type Change, changedCheckout } from '../../rigs/program/changed-checkout.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import {
  type Ended,
  runTern,
  ServerProcess,
  type Settings,
  type Surroundings,
} from '../../rigs/program/server-process.ts'
import { mountSmallDisk, type SmallDisk } from '../../rigs/program/small-disk.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { Database, type DatabaseWorld } from './database.ts'
import { FaultyMachine } from './faulty-machine.ts'
import type { Load } from './load.ts'

/** What runs. */
export type World = {
  /** Several need PostgreSQL. */
  nodes?: number
  /** SQLite without it. */
  postgres?: DatabaseWorld
  settings?: Settings
  /** Of `tern serve`. */
  options?: readonly string[]
  /** A disk that can be filled. On it are PostgreSQL's tables, or else the data folder. */
  diskMegabytes?: number
  /** The last node runs on a machine whose clock jumps and whose disk hangs. */
  machine?: { writeMs?: number }
  /** Of the last node's program: bugs, or other sizes. */
  changes?: readonly Change[]
}

export type Node = {
  port: number
  settings: OperatedFolder['settings']
  surroundings: Surroundings
  server: ServerProcess | undefined
}

type CommandPlace = { node?: number; settings?: Settings }

export type Finding = { check: string; verdict: string; says: string }

/** Bun says so itself, while PostgreSQL refuses. */
const REPORTED_BY_BUN = /^bun:sql LISTEN .*\n/gm

/** The program as operators run it, on one or several nodes, with an account that owns its links. */
export class Tern implements AsyncDisposable {
  readonly nodes: Node[] = []
  /** In the order of their start. */
  readonly loads: Load[] = []
  /** The account, which sends its requests to the first node. */
  operator!: OperatedFolder
  database!: Database
  disk!: SmallDisk
  machine!: FaultyMachine
  /** How many nodes have been killed. */
  kills = 0
  /** Openings that faults may have cost each limited link. */
  openingsLostMax = 0
  /** Whether a node has ended while visitors sent requests to it. */
  isInterrupted = false
  readonly folders = temporaryFolders()
  readonly #world: World
  readonly #links = new Set<string>()
  readonly #closing = new AsyncDisposableStack()

  constructor(world: World = {}) {
    this.#world = world
    this.#closing.defer(() => this.folders.remove())
  }

  static async start(world: World = {}): Promise<Tern> {
    const tern = await new Tern(world).prepare()
    await tern.startAll()
    return tern
  }

  /** Everything around it, and no node yet. */
  async prepare(): Promise<this> {
    const { nodes = 1, postgres, diskMegabytes, machine } = this.#world
    if (diskMegabytes !== undefined)
      this.disk = this.#closing.adopt(mountSmallDisk(diskMegabytes)!, (disk) => disk.unmount())
    if (postgres !== undefined)
      this.database = this.#closing.adopt(await Database.start(postgres, this.disk), (it) => it.remove())
    if (machine !== undefined) this.machine = new FaultyMachine(this.folders.make(), machine)
    const isOnDisk = diskMegabytes !== undefined && postgres === undefined
    const dataDir = isOnDisk ? join(this.disk.folder, 'data') : this.folders.make()
    this.operator = await operateFolder(dataDir, this.#settingsOf(0))
    for (let node = 0; node < nodes; node++) this.nodes.push(this.#node(node))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server?.kill()))
    await Promise.all(this.loads.map((load) => load.stop()))
    await this.#closing.disposeAsync()
  }

  get dataDir(): string {
    return this.nodes[0]!.settings.DATA_DIR
  }

  /** A request with the operator's key to the first node. */
  api(method: string, path: string, body?: unknown): Promise<ClientAnswer> {
    return this.operator.api(method, path, body)
  }

  /** A request to a node, whose answer must be documented. */
  ask(
    at: number | { node: number; key: string },
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Response> {
    const { node, key } = typeof at === 'number' ? { node: at, key: this.operator.key } : at
    return documentedFetch(`http://127.0.0.1:${this.nodes[node]!.port}${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** What a visitor of a node receives. */
  async visit(code: string, node = 0): Promise<number> {
    return (await this.ask(node, 'GET', `/${code}`)).status
  }

  async health(node = 0): Promise<string> {
    await Bun.sleep(50) // Within the limit of requests without a key.
    const response = await this.ask(node, 'GET', '/api/health')
    expect(response.status).toBe(200)
    return ((await response.json()) as { status: string }).status
  }

  /** Makes the links that are not there yet. */
  async makeLinks(...codes: string[]): Promise<void> {
    const missing = codes.filter((code) => !this.#links.has(code))
    if (missing.length > 0) await this.operator.makeLinks(missing)
    for (const code of missing) this.#links.add(code)
  }

  /** Waits until these codes have exactly these numbers of clicks. */
  counted(clicks: Record<string, number>): Promise<void> {
    const counts = () => this.operator.clickCounts(Object.keys(clicks)).catch(() => [])
    return becomes(async () => Object.fromEntries(await counts()), clicks)
  }

  /** From now on the first node is started with these options of tern serve, and without changes. */
  serveWith(...options: string[]): Promise<ServerProcess> {
    this.nodes[0]!.surroundings = { options }
    return this.start()
  }

  /** Starts a node, or starts it again: the same folder, port and name, another process. */
  async start(node = 0, settings: Settings = {}): Promise<ServerProcess> {
    const { surroundings, settings: own } = this.nodes[node]!
    const server = new ServerProcess({ ...own, ...settings }, surroundings)
    this.nodes[node]!.server = server
    await server.ready
    return server
  }

  async stop(node = 0, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.isInterrupted ||= this.loads.some(({ isRunning }) => isRunning)
    return this.nodes[node]!.server!.stop(signal)
  }

  /** In order: nothing failed, and nothing was left undone. */
  async stopAll(): Promise<void> {
    for (const { exitCode, complaints } of await Promise.all(this.nodes.map((_, node) => this.stop(node))))
      expect([exitCode, complaints.replaceAll(REPORTED_BY_BUN, '')]).toEqual([0, ''])
  }

  async restartAll(): Promise<void> {
    await this.stopAll()
    await this.startAll()
  }

  /** The API of a node is up a moment after its redirects. */
  async startAll(): Promise<void> {
    await Promise.all(this.nodes.map((_, node) => this.start(node)))
    await until(async () => (await this.api('GET', '/api/account')).status === 200)
  }

  /** Runs a command with the settings of a node, or with others in their place. */
  run(words: readonly string[], { node = 0, settings }: CommandPlace = {}): Promise<Ended> {
    return runTern([...words], settings ?? this.nodes[node]!.settings)
  }

  /** What tern doctor says, of one check or of all. */
  async findings(check?: string, place: CommandPlace = {}): Promise<Finding[]> {
    const findings: Finding[] = JSON.parse((await this.run(['doctor', '--json'], place)).output).findings
    return findings.filter((each) => check === undefined || each.check === check)
  }

  #node(node: number): Node {
    const { nodes = 1, options = [], machine, changes: worldChanges = [] } = this.#world
    const [own, port] = node === 0 ? [this.operator.settings, this.operator.port] : [undefined, freePort()]
    const settings = {
      ...this.operator.settings,
      ...this.#settingsOf(node),
      DATA_DIR: own?.DATA_DIR ?? this.folders.make(),
      PORT: String(port),
    }
    const changes = [...(machine === undefined ? [] : this.machine.changes), ...worldChanges]
    const isChanged = node === nodes - 1 && changes.length > 0
    const root = isChanged ? { root: changedCheckout(this.folders.make(), ...changes) } : {}
    return { port, settings, surroundings: { options, ...root }, server: undefined }
  }

  #settingsOf(node: number): Settings {
    const { nodes = 1, postgres, settings } = this.#world
    return {
      ...(postgres !== undefined && this.database.settingsOf(node)),
      ...(nodes > 1 && { BASE_URL: 'http://s.example.com', NODE_NAME: `node-${node + 1}` }),
      ...settings,
    }
  }
}

/** Started before the tests of a suite, and ended after them. */
export function useTern(world: World = {}): Tern {
  const tern = new Tern(world)
  beforeAll(async () => {
    await tern.prepare()
    await tern.startAll()
  })
  afterAll(() => tern[Symbol.asyncDispose]())
  return tern
}
