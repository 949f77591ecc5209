import { ConfigFaults } from '../config.ts'
import { describeError, jsonLog } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { FolderInUse } from '../store/folder-lock.ts'
import { NewerStore } from '../store/migrate.ts'
import type { Command } from './command.ts'
import { openService } from './open-service.ts'

/** An orderly end takes no longer; what is not counted by then is counted at the next start. */
const STOP_MS_MAX = 9_500

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Answer short addresses and the API until told to stop (SIGTERM, Ctrl-C).',
  async run(_call, { readConfig, withStore, print }) {
    const config = readConfig()
    const log = jsonLog(config.logLevel, 'visitors')
    const service = await openService(config, log).catch(refuseToStart)
    print(`Tern answers on ${config.baseUrl} (port ${service.port}), with its data in ${config.dataDir}`)
    const accounts = await withStore((db) => db.selectFrom('accounts').select('id').limit(1).execute())
    if (accounts.length === 0) print(FIRST_STEPS)
    await untilToldToStop()
    print('Stopping: answering what is under way, then making every click safe.')
    const timer = setTimeout(() => process.exit(0), STOP_MS_MAX)
    await service
      .stop()
      .catch((error) => log.error('The service did not stop in order.', describeError(error)))
    clearTimeout(timer)
  },
}

const FIRST_STEPS = `
This instance is empty. Make the first account and its key:

  npm run --silent tern -- account create you@example.com --name "Your name" --password "at least 12 characters" --verified
  npm run --silent tern -- key create you@example.com --name "First key"
`

function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

/** What the operator can mend is said in one sentence. */
function refuseToStart(error: unknown): never {
  const { code } = error as { code?: string }
  if (error instanceof FolderInUse || error instanceof NewerStore || error instanceof ConfigFaults) {
    throw new Refusal('unavailable', error.message)
  }
  if (code === 'EADDRINUSE')
    throw new Refusal('unavailable', 'The port is in use by another program: set PORT to a free one.')
  if (code === 'EACCES')
    throw new Refusal('unavailable', 'The port or the data folder may not be used: check PORT and DATA_DIR.')
  throw error
}
