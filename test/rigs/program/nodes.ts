import { type OperatedFolder, operateFolder } from './operated-folder.ts'
import { freePort } from '../free-port.ts'
import { ServerProcess, type Settings, type Surroundings } from './server-process.ts'
import { documentedFetch } from '../http/documented-fetch.ts'

export type Node = {
  name: string
  port: number
  settings: Settings & { DATA_DIR: string }
  surroundings: Surroundings
  server: ServerProcess
}

export type NodesSettings = {
  databaseUrl: string
  folder(): string
  /** Of all of them. */
  others?: Settings
  /** Of one, by its place. */
  own?(node: number): Settings
  /** Another checkout for one of them. */
  root?(node: number): string
}

/** Several nodes of one store, each a process with its own folder and port. */
export class Nodes {
  readonly nodes: Node[] = []
  /** The account, which sends its requests to the first node. */
  readonly operator: OperatedFolder

  private constructor(operator: OperatedFolder) {
    this.operator = operator
  }

  static async start(
    count: number,
    { databaseUrl, folder, others = {}, own = () => ({}), root }: NodesSettings,
  ): Promise<Nodes> {
    const shared = { DATABASE_URL: databaseUrl, BASE_URL: 'http://s.example.com', ...others }
    const operator = await operateFolder(folder(), shared)
    const nodes = new Nodes(operator)
    for (let n = 1; n <= count; n++) {
      const port = n === 1 ? operator.port : freePort()
      const name = `node-${n}`
      const place = {
        PORT: String(port),
        DATA_DIR: n === 1 ? operator.settings.DATA_DIR : folder(),
        NODE_NAME: name,
      }
      const settings = { ...operator.settings, ...place, ...others, ...own(n - 1) }
      const surroundings = root === undefined ? {} : { root: root(n - 1) }
      const server = new ServerProcess(settings, surroundings)
      nodes.nodes.push({ name, port, settings, surroundings, server })
    }
    await Promise.all(nodes.nodes.map(({ server }) => server.ready))
    return nodes
  }

  /** A request to one of them, by its place. */
  ask(
    node: number,
    method: string,
    path: string,
    body?: unknown,
    key = this.operator.key,
  ): Promise<Response> {
    return documentedFetch(`http://127.0.0.1:${this.nodes[node]!.port}${path}`, {
      method,
      headers: {
        'X-API-Key': key,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** The same folder, port and name, another process. */
  async startAgain(node: number): Promise<void> {
    const { settings, surroundings } = this.nodes[node]!
    this.nodes[node]!.server = await ServerProcess.start(settings, surroundings)
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()))
  }
}
