import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')
/** The executable of the checkout, which test/run-tests.ts builds because it starts in half the time. Without it, the source is run. */
export const PROGRAM_VARIABLE = 'TEST_PROGRAM'

const READY = 'Tern is listening on'
/** Far above what a start takes, also on a busy machine. */
const READY_MS_MAX = 240_000

export type Settings = Record<string, string>
export type Ended = { exitCode: number; output: string; complaints: string }

/** The complete environment: nothing of the test process leaks into the program. */
const environment = (settings: Settings): Settings => ({ PATH: process.env.PATH ?? '', ...settings })

/** Runs `tern` with these arguments until it exits. */
export async function runTern(
  words: string[],
  settings: Settings,
  surroundings: Surroundings = {},
): Promise<Ended> {
  const child = spawnTern(words, settings, surroundings)
  const [output, complaints] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  return { exitCode: await child.exited, output, complaints }
}

/**
 * `root` is where a checkout is; a test may have one of its own. `openFilesMax` is its limit, as `ulimit -n` sets it;
 * `options` are those of `tern serve`. `input` is what it reads from its standard input. `program` is started in place of the checkout's.
 */
export type Surroundings = {
  root?: string
  openFilesMax?: number
  options?: readonly string[]
  input?: string
  program?: 'from source' | Program
}
/** An executable, and the folder that it is started in. */
type Program = { path: string; folder: string }

/** Not `.text()`, which the browser's types do not know. */
const textOf = (stream: ReadableStream) => new Response(stream).text()

export function spawnTern(
  words: string[],
  settings: Settings,
  { root = ROOT, openFilesMax, input, program }: Surroundings = {},
) {
  const { path, folder } =
    typeof program === 'object' ? program : { path: builtFor(root, program), folder: root }
  const start = path === undefined ? [process.execPath, join(root, 'src/cli/main.ts')] : [path]
  const command = [...start, ...words]
  const limited = ['sh', '-c', `ulimit -n ${openFilesMax}; exec "$@"`, 'sh', ...command]
  return Bun.spawn(openFilesMax === undefined ? command : limited, {
    cwd: folder,
    env: environment(settings),
    stdin: input === undefined ? 'ignore' : new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const builtFor = (root: string, program: 'from source' | undefined): string | undefined =>
  root === ROOT && program === undefined ? process.env[PROGRAM_VARIABLE] : undefined

/** `tern serve` in its own process. */
export class ServerProcess {
  readonly #child: ReturnType<typeof spawnTern>
  readonly #ended: Promise<Ended>
  readonly #ready = Promise.withResolvers<void>()
  #output = ''
  #complaints = ''

  constructor(settings: Settings, surroundings: Surroundings = {}) {
    this.#child = spawnTern(['serve', ...(surroundings.options ?? [])], settings, surroundings)
    this.#ready.promise.catch(() => {})
    const reading = Promise.all([
      this.#read(this.#child.stdout, (text) => {
        this.#output += text
        if (this.#output.includes(READY)) this.#ready.resolve()
      }),
      this.#read(this.#child.stderr, (text) => void (this.#complaints += text)),
    ])
    this.#ended = reading.then(async () => {
      const exitCode = await this.#child.exited
      this.#ready.reject(new Error(`The server ended with ${exitCode}: ${this.#output}${this.#complaints}`))
      return { exitCode, output: this.#output, complaints: this.#complaints }
    })
  }

  /** Resolves when it responds; what it printed is in `output`. */
  static async start(settings: Settings, surroundings: Surroundings = {}): Promise<ServerProcess> {
    const server = new ServerProcess(settings, surroundings)
    await server.ready
    return server
  }

  get ready(): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => late.reject(new Error('The server is not ready.')), READY_MS_MAX)
    return Promise.race([this.#ready.promise, late.promise]).finally(() => clearTimeout(timer))
  }

  get pid(): number {
    return this.#child.pid
  }

  /** What it has printed so far. */
  get output(): string {
    return this.#output
  }

  get ended(): Promise<Ended> {
    return this.#ended
  }

  /** SIGKILL: the program cannot react to it. */
  kill(): Promise<Ended> {
    return this.stop('SIGKILL')
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal)
    return this.#ended
  }

  async #read(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }))
  }
}
