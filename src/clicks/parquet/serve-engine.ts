import { mkdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { ClickEngine } from './click-engine.ts'
import { answerCalls, type CallEngine, type EngineMethods, type EngineReply } from './engine-calls.ts'
import { EngineError } from './engine-error.ts'

/** EX_UNAVAILABLE of sysexits.h: DuckDB does not run on this platform. */
export const EXIT_UNSUPPORTED = 69

export type FromEngine = EngineReply | { kind: 'ready' }

/** Of a data folder. */
export const clicksFolder = (dataDir: string): string => join(dataDir, 'clicks')

/** DuckDB keeps there what does not fit into its memory. */
const TEMPORARY_FOLDER = 'duckdb.tmp'

/** Answers the process that has started this one, until that one ends or disconnects. */
export async function serveEngine(dataDir: string): Promise<never> {
  // What is running is not worth waiting for: its files are unfinished until somebody enters them.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const folder = clicksFolder(dataDir)
  mkdirSync(folder, { recursive: true })
  const database = relative(folder, resolve(storePath(dataDir)))
  // DuckDB then gets names only: characters of the folder's path could mean a pattern to it.
  process.chdir(folder)
  rmSync(TEMPORARY_FOLDER, { recursive: true, force: true })
  const engine = await openEngine(database)
  const call: CallEngine = (name, input, signal) => callMethod(engine, name, input, signal)
  const answer = answerCalls(call, send)
  process.on('message', answer)
  send({ kind: 'ready' })
  return new Promise(() => {})
}

const send = (message: FromEngine) => void process.send!(message)

async function openEngine(database: string): Promise<ClickEngine> {
  try {
    return await ClickEngine.open({ database, temporaryFolder: TEMPORARY_FOLDER })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unsupported') process.exit(EXIT_UNSUPPORTED)
    throw error
  }
}

const callMethod = (engine: EngineMethods, name: keyof EngineMethods, input: unknown, signal?: AbortSignal) =>
  engine[name](input as never, signal!) as never
