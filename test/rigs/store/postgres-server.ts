import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { isQuickRun, skipBecause } from '../../skips.ts'
import { until } from '../eventually.ts'
import { freePort } from '../free-port.ts'

/** Debian keeps several versions side by side, and none on the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65_534
const USER = 'tern'

/** The folder with PostgreSQL's programs; undefined where there is none, and in a quick run. */
export function findPostgres(): string | undefined {
  if (isQuickRun) return undefined
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const latestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = latestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '')
  return [...folders, ...onPath].find((folder) => existsSync(join(folder, 'initdb')))
}

/** For the condition of `describe.skipIf`. The run says at its end what was not tested. */
export const lacksPostgres = (what: string): boolean =>
  findPostgres() === undefined && skipBecause(what, 'apt-get install postgresql')

export type PostgresSettings = Record<string, string | number>

/** For tests that do not depend on durability, with connections for several nodes under load. Each test has a database, and cleaning up after hundreds of them would cost half a core. */
export const FAST: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: 200,
}

type Way = {
  settings?: PostgresSettings
  /** A standby, copied from this server. */
  of?: PostgresServer
  /** Where its tables are, if on a small disk. Its log stays with other temporary files: without room for that it would end. */
  within?: string
}

/** A real server: the machine's binaries, a temporary folder, a free loopback port. */
export class PostgresServer {
  readonly port = freePort()
  readonly #folder: string
  readonly #settings: PostgresSettings
  #child: Bun.Subprocess | undefined
  #frozen: number[] = []

  private constructor(settings: PostgresSettings, within: string) {
    this.#settings = settings
    this.#folder = ownedFolder(within)
  }

  static async start({ settings = FAST, of, within = tmpdir() }: Way = {}): Promise<PostgresServer> {
    const server = new PostgresServer(settings, within)
    if (of === undefined) {
      await runProgram('initdb', [
        '--no-sync',
        '--auth=trust',
        `--username=${USER}`,
        '--encoding=UTF8',
        '--locale=C',
        ...(within === tmpdir() ? [] : ['--waldir', join(ownedFolder(tmpdir()), 'wal')]),
        '-D',
        server.dataFolder,
      ])
    } else {
      const from = `host=127.0.0.1 port=${of.port} user=${USER} application_name=standby`
      const copying = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', '--wal-method=stream']
      await runProgram('pg_basebackup', ['-d', from, '-D', server.dataFolder, ...copying])
    }
    await server.startAgain()
    return server
  }

  get dataFolder(): string {
    return join(this.#folder, 'data')
  }

  get pid(): number {
    if (this.#child === undefined) throw new Error('The server is not running.')
    return this.#child.pid
  }

  urlOf(database: string): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`
  }

  /** The URL of a new database: empty, or a copy of another one without connections. */
  async makeDatabase(template = 'template0'): Promise<string> {
    const name = `tern_${crypto.randomUUID().replaceAll('-', '')}`
    // Copying through the log, the default, takes twice as long.
    await this.run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
    return this.urlOf(name)
  }

  /** Runs one statement as the superuser. */
  async run(statement: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const sql = new SQL(this.urlOf(database), { max: 1 })
    try {
      return await sql.unsafe(statement)
    } finally {
      await sql.close({ timeout: 0 })
    }
  }

  /** After `stop`, or after it exited. */
  async startAgain(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...this.#settings }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#child = Bun.spawn(
      // Killed with the tests, also when those are killed.
      unprivileged(
        'postgres',
        ['-D', this.dataFolder, '-p', String(this.port), ...options],
        ['--pdeathsig', 'QUIT'],
      ),
      { stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(join(this.#folder, 'log')) },
    )
    const isUp = () =>
      this.run('SELECT 1').then(
        () => true,
        () => false,
      )
    await until(async () => (await isUp()) || this.#child!.exitCode !== null)
    if (!(await isUp())) throw new Error(await this.#complaints())
  }

  /** 'immediate' is like a crash: connections are dropped, and nothing is flushed. */
  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    child?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await child?.exited
  }

  /** From now on nothing is answered, and no connection is closed, until `thaw`. */
  freeze(): void {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
    this.#frozen = [this.pid, ...children.trim().split(' ').map(Number)]
    for (const pid of this.#frozen) process.kill(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }

  /** Disconnects a standby from its primary. */
  async cutOff(): Promise<void> {
    await this.run("ALTER SYSTEM SET primary_conninfo = ''")
    await this.run('SELECT pg_reload_conf()')
  }

  /** Promotes a standby. */
  async promote(): Promise<void> {
    await this.run('SELECT pg_promote()')
  }

  /** The server's log so far. */
  log(): Promise<string> {
    return Bun.file(join(this.#folder, 'log')).text()
  }

  async remove(): Promise<void> {
    this.thaw()
    await this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #complaints(): Promise<string> {
    return `PostgreSQL did not start: ${await this.log()}`
  }
}

function ownedFolder(within: string): string {
  const folder = mkdtempSync(join(within, 'tern-postgres-'))
  writeFileSync(join(folder, 'log'), '')
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  for (const path of [folder, join(folder, 'log'), join(folder, 'data')]) {
    if (process.getuid?.() === 0) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  }
  removeAfterUs(folder)
  return folder
}

/** The server exits with this process, even when that is killed: the shell's input ends then. */
function removeAfterUs(folder: string): void {
  const script = 'cat; for try in 1 2 3 4 5 6 7 8 9; do rm -rf "$0" && exit; sleep 0.2; done'
  Bun.spawn(['sh', '-c', script, folder], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' }).unref()
}

function unprivileged(program: string, words: string[], asWell: string[] = []): string[] {
  const ids = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups']
  const asWhom = process.getuid?.() === 0 ? ids : []
  return ['setpriv', ...asWhom, ...asWell, join(findPostgres()!, program), ...words]
}

async function runProgram(program: string, words: string[]): Promise<void> {
  const child = Bun.spawn(unprivileged(program, words), { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const complaints = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${program} failed: ${complaints}`)
}
