import { describeError, jsonLog } from '../log.ts'
import type { Command } from './command.ts'
import { openService, type Service } from './open-service.ts'

/** An orderly end takes no longer; what is not counted by then is counted at the next start. */
const STOP_MS_MAX = 9_500

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Answer short addresses and the API until told to stop (SIGTERM, Ctrl-C).',
  async run(_call, { readConfig, print }) {
    const config = readConfig()
    const log = jsonLog(config.logLevel, 'visitors')
    // From here on, so that being told during the start makes an orderly end too.
    const told = untilToldToStop()
    const service = await openService(config, log)
    try {
      print(`Tern answers on ${config.baseUrl} (port ${service.port}), with its data in ${config.dataDir}`)
      if (service.isEmpty) print(firstSteps(config.baseUrl))
      const failure = await Promise.race([told, service.failed])
      if (failure !== undefined) {
        log.error('The service cannot go on without its thread and ends.', describeError(failure))
        throw failure
      }
      print('Stopping: answering what is under way, then making every click safe.')
    } finally {
      await stopInTime(service)
    }
  },
}

const firstSteps = (baseUrl: string) => `
This instance is empty. Whoever signs up first is its operator:

  ${baseUrl}/dashboard

Or make the first account and its key here:

  npm run --silent tern -- account create you@example.com --name "Your name" --password "at least 12 characters" --verified
  npm run --silent tern -- key create you@example.com --name "First key"
`

function untilToldToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(undefined))
  })
}

/** What is not done by then is left: the journal has every click, so nothing is lost by it. */
async function stopInTime(service: Service): Promise<void> {
  await Promise.race([service.stop(), Bun.sleep(STOP_MS_MAX)])
}
