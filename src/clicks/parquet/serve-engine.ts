import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { clicksFolder, storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { realFiles } from '../journal/files.ts'
import { ClickEngine } from './click-engine.ts'
import { makeClicksFolder } from './click-files.ts'
import { answerCalls, type CallEngine, type EngineMethods, type EngineReply } from './engine-calls.ts'
import { EngineError, EXIT_UNSUPPORTED } from './engine-error.ts'
import { TEMPORARY_FOLDER } from './tidy-click-files.ts'

export type FromEngine = EngineReply | { kind: 'ready' }

/** After such an error DuckDB refuses everything. */
const FATAL = /^(FATAL|INTERNAL) Error/
const EXIT_FATAL = 70

/** Answers the process that has started this one, until that one ends or disconnects. */
export async function serveEngine(dataDir: string): Promise<never> {
  // What is running is not worth waiting for: its files are unfinished until somebody enters them.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.on('disconnect', end)
  if (process.connected === false) end()
  const folder = clicksFolder(dataDir)
  await makeClicksFolder(realFiles, folder)
  const database = resolve(storePath(dataDir))
  // DuckDB then gets names only: characters of the folder's path could mean a pattern to it.
  process.chdir(folder)
  const engine = await openEngine(database)
  const call: CallEngine = (name, input, signal) => callMethod(engine, name, input, signal)
  process.on(
    'message',
    answerCalls(call, (reply) => {
      send(reply)
      if (reply.kind === 'error' && FATAL.test(reply.message)) setImmediate(() => process.exit(EXIT_FATAL))
    }),
  )
  send({ kind: 'ready' })
  return new Promise(() => {})
}

const send = (message: FromEngine) => void process.send!(message)

async function openEngine(database: string): Promise<ClickEngine> {
  // DuckDB creates its own folder in it, and only when it needs one.
  mkdirSync(TEMPORARY_FOLDER, { recursive: true })
  try {
    return await ClickEngine.open({ database, temporaryFolder: join(TEMPORARY_FOLDER, Bun.randomUUIDv7()) })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unsupported') process.exit(EXIT_UNSUPPORTED)
    throw error
  }
}

const callMethod = (engine: EngineMethods, name: keyof EngineMethods, input: unknown, signal?: AbortSignal) =>
  engine[name](input as never, signal!) as never
