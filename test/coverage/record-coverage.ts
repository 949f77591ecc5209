import { drainMicrotasks } from 'bun:jsc'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'
import { COVERAGE_VARIABLE, type Script } from './coverage.ts'

// Preloaded by each process of a test run and by each of its threads: `bun test --coverage` leaves out what runs on threads. It
// says which ranges of each script have run: after the last test file, as a preloaded hook does, and as a thread stops.

/** On a busy machine. */
const REPORT_MS_MAX = 300_000

const folder = process.env[COVERAGE_VARIABLE]
if (folder !== undefined) await record(folder)

async function record(folder: string): Promise<void> {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const report = () => {
    session.post('Profiler.takePreciseCoverage', (_error: unknown, { result }: { result: Script[] }) => {
      const scripts = result.filter(({ url }) => url.includes('/src/') && !url.includes('/node_modules/'))
      writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(scripts))
    })
    // The answer comes as a microtask, and a thread that stops runs no more of them.
    drainMicrotasks()
  }
  if (isMainThread) (await import('bun:test')).afterAll(report, REPORT_MS_MAX)
  else reportBeforeStopping(report)
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options: Bun.WorkerOptions = {}) {
      super(url, { ...options, preload: [import.meta.path] })
    }
  }
}

/** The thread that started it ends it as soon as it says that it has stopped. */
function reportBeforeStopping(report: () => void): void {
  const post = self.postMessage.bind(self)
  self.postMessage = (message: { kind?: string }, ...rest: []) => {
    if (message.kind === 'stopped') report()
    post(message, ...rest)
  }
}
