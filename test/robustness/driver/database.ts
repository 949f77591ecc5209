import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TcpProxy } from '../../rigs/outside/tcp-proxy.ts'
import { FAST, PostgresServer, type PostgresSettings } from '../../rigs/store/postgres-server.ts'
import type { SmallDisk } from '../../rigs/program/small-disk.ts'

export type DatabaseWorld = {
  settings?: PostgresSettings
  /** A second server: one that commits wait for, or one that the nodes read from. */
  standby?: 'synchronous' | 'read'
  /** The nodes log in as a user of their own, whom the server can refuse. */
  hasUser?: boolean
  /** The nodes that reach it through a network which can fail. */
  networked?: readonly number[]
}

/** Commits are handed on to a standby, and are not waited for. */
export const REPLICATED: PostgresSettings = { fsync: 'off', max_connections: 200 }

/** A PostgreSQL of a test's own, which the test may stop, fill, freeze and replace. */
export class Database {
  readonly server: PostgresServer
  readonly network: TcpProxy
  readonly name: string
  standby: PostgresServer | undefined
  readonly #world: DatabaseWorld
  readonly #url: string

  private constructor(
    world: DatabaseWorld,
    server: PostgresServer,
    parts: { url: string; network: TcpProxy },
  ) {
    this.#world = world
    this.server = server
    this.network = parts.network
    this.#url = parts.url
    this.name = new URL(parts.url).pathname.slice(1)
  }

  static async start(world: DatabaseWorld, disk?: SmallDisk): Promise<Database> {
    const settings = world.settings ?? (world.standby === undefined ? FAST : REPLICATED)
    if (disk !== undefined) chmodSync(disk.folder, 0o755)
    const server = await PostgresServer.start({ settings, ...(disk && { within: disk.folder }) })
    const url = await server.makeDatabase()
    const database = new Database(world, server, { url, network: await TcpProxy.start(server.port) })
    if (world.hasUser) await database.#addUser()
    if (world.standby !== undefined) await database.addStandby()
    if (world.standby === 'synchronous') await database.configure('synchronous_standby_names', '*')
    return database
  }

  /** As a node reaches it. */
  settingsOf(node: number): { DATABASE_URL: string; DATABASE_READ_URL?: string } {
    const url = new URL(this.#url)
    if (this.#world.hasUser) [url.username, url.password] = ['app', 'right']
    const isNetworked = this.#world.networked?.includes(node)
    return {
      DATABASE_URL: isNetworked ? this.network.urlOf(url.href) : url.href,
      ...(this.#world.standby === 'read' && { DATABASE_READ_URL: this.standby!.urlOf(this.name) }),
    }
  }

  /** Runs a statement in it as the superuser. */
  run(statement: string): Promise<Record<string, unknown>[]> {
    return this.server.run(statement, this.name)
  }

  async configure(setting: string, value: string): Promise<void> {
    await this.server.run(`ALTER SYSTEM SET ${setting} = '${value}'`)
    await this.server.run('SELECT pg_reload_conf()')
  }

  /** How the server lets in the user of the nodes. */
  async admitBy(method: 'scram-sha-256' | 'reject'): Promise<void> {
    const path = join(this.server.dataFolder, 'pg_hba.conf')
    const others = readFileSync(path, 'utf8').replace(/^host all app .*\n/, '')
    writeFileSync(path, `host all app 127.0.0.1/32 ${method}\n${others}`)
    await this.server.run('SELECT pg_reload_conf()')
  }

  async addStandby(): Promise<PostgresServer> {
    return (this.standby = await PostgresServer.start({ settings: REPLICATED, of: this.server }))
  }

  async remove(): Promise<void> {
    await this.network.stop()
    await this.standby?.remove()
    await this.server.remove()
  }

  async #addUser(): Promise<void> {
    await this.server.run(`CREATE ROLE app LOGIN PASSWORD 'right'`)
    await this.server.run(`ALTER DATABASE ${this.name} OWNER TO app`)
    await this.admitBy('scram-sha-256')
  }
}
