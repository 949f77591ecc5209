import { leftFolders, workerFolder } from '../../clicks/journal/worker-folders.ts'
import type { Config } from '../../config/config.ts'
import { describeError, jsonLog } from '../../runtime/log.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { lockFolder } from '../../store/files/folder-lock.ts'
import type { Command, CommandDeps } from '../command.ts'
import type { Service, ServiceOptions } from '../service/open-service.ts'
import { isReadyBefore } from '../service/wait-until-ready.ts'
import { runWorkers, notifyReady } from '../service/run-workers.ts'

/** Time for an orderly shutdown. What is not counted by then is counted at the next start. */
const STOP_MS_MAX = 9_500
/** A worker that does not end in time is killed a little later. */
const KILL_AFTER_MS = 1_500
const WORKERS_MAX = 64

const STOPPING = 'Stopping: finishing requests in progress, then saving every click.'
const listening = ({ baseUrl, dataDir }: Config, where: string) =>
  `Tern is listening on ${baseUrl} (${where}); its data is in ${dataDir}`
const stillStarting = ({ baseUrl }: Config, port: number) =>
  `Redirects are served on ${baseUrl} (port ${port}). The API and the dashboard are still starting.`
const stoppingIn = (ms: number) =>
  `Stopping in ${ms / 1000} seconds. Until then all requests are served; the health check answers 503.`

export const serveCommand: Command = {
  name: 'serve',
  printsLog: true,
  summary: 'Serve short URLs, the API and the dashboard until SIGTERM or Ctrl-C.',
  options: {
    workers: {
      type: 'string',
      value: 'number',
      meaning: 'Number of processes that share the port (PostgreSQL only).',
    },
    worker: {
      type: 'string',
      value: 'number/number',
      meaning: 'Which worker this is, and of how many; set by the process that starts the workers.',
    },
  },
  async run(call, deps) {
    const config = deps.readConfig()
    const workers = call.text('workers')
    const worker = call.text('worker')
    if (worker !== undefined) return serveAsWorker(config, worker, deps)
    if (workers !== undefined) return serveByWorkers(config, readCount(workers), deps)
    await serve(config, { leftFolders: leftFolders(config.dataDir, [config.dataDir]) }, deps)
  },
}

type Output = Pick<CommandDeps, 'print'>

async function serve(config: Config, options: ServiceOptions, { print }: Output): Promise<void> {
  const log = jsonLog(config.logLevel, 'redirect')
  // The process that starts the workers prints this for them.
  const announce = options.isWorker ? () => {} : print
  // From here on, so that a signal during the start also ends it in order.
  const stopSignal = untilStopSignal()
  // Loaded here, because other commands do not need it and should not wait for it.
  const { openService } = await import('../service/open-service.ts')
  const service = await openService(config, log, options)
  try {
    const end = Promise.race([stopSignal, service.failed])
    const sayLate = () => print(stillStarting(config, service.port))
    if (await isReadyBefore(end, { ready: service.ready, sayLate })) {
      notifyReady()
      announce(listening(config, `port ${service.port}`))
      if (service.isEmpty) announce(firstSteps(config.baseUrl))
    }
    const failure = await end
    if (failure !== undefined) {
      log.error('A thread failed; the server is stopping.', describeError(failure))
      throw failure
    }
    if (config.stopDelayMs > 0) await answerOn(service, config.stopDelayMs, announce)
    announce(STOPPING)
  } finally {
    await stopInTime(service)
  }
}

/** Gives the proxy time to notice that this node is stopping. */
async function answerOn(service: Service, forMs: number, announce: Output['print']): Promise<void> {
  service.announceStop()
  announce(stoppingIn(forMs))
  await Promise.race([Bun.sleep(forMs), service.failed])
}

/** The process that holds the data folder, and starts and stops the workers. */
async function serveByWorkers(config: Config, count: number, { print }: Output): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new Refusal(
      'command_failed',
      '--workers needs PostgreSQL: set DATABASE_URL, or leave --workers out.',
    )
  }
  const lock = lockFolder(config.dataDir)
  try {
    await runWorkers(count, {
      log: jsonLog(config.logLevel, 'workers'),
      stopSignal: untilStopSignal(),
      stopMsMax: config.stopDelayMs + STOP_MS_MAX + KILL_AFTER_MS,
      onReady: () => print(listening(config, `port ${config.port}, ${count} workers`)),
      onStop: () => print(config.stopDelayMs > 0 ? stoppingIn(config.stopDelayMs) : STOPPING),
    })
  } finally {
    lock.release()
  }
}

/** The first worker takes care of the folders of former workers. */
async function serveAsWorker(config: Config, place: string, deps: Output): Promise<void> {
  const [number = 0, count = 0] = place.split('/').map(Number)
  const folders = Array.from({ length: count }, (_, i) => workerFolder(config.dataDir, i + 1))
  const dataDir = workerFolder(config.dataDir, number)
  const own = { ...config, dataDir, nodeName: `${config.nodeName}-${number}` }
  const leftovers = number === 1 ? leftFolders(config.dataDir, folders) : []
  await serve(own, { isWorker: true, leftFolders: leftovers }, deps)
}

function readCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count
  throw invalid({ workers: [`The number of workers must be from 1 to ${WORKERS_MAX}.`] })
}

/** How to call this program: the executable by its name, a checkout by npm. */
const TERN = Bun.isStandaloneExecutable ? 'tern' : 'npm run --silent tern --'

const firstSteps = (baseUrl: string) => `
There are no accounts yet. The first one to sign up is the operator:

  ${baseUrl}/dashboard

Or create the first account and a key here:

  ${TERN} account create you@example.com --name "Your name" --password "at least 12 characters" --verified
  ${TERN} key create you@example.com --name "First key"
`

function untilStopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(undefined))
    // For a worker: the process that started it has ended.
    process.once('disconnect', () => resolve(undefined))
  })
}

/** Ends the process even if the shutdown is stuck. Nothing is lost: the journal has every click. */
async function stopInTime(service: Service): Promise<void> {
  await Promise.race([service.stop(), Bun.sleep(STOP_MS_MAX)])
}
