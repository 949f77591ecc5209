import { get } from 'node:http'
import type { Config } from '../../config/config.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Command } from '../command.ts'

const ANSWER_MS_MAX = 4_000
/** Hosts that mean all addresses of the machine. */
const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** For health checks that run beside the process, as a container's do. */
export const healthCommand: Command = {
  name: 'health',
  summary: 'Check the health of the server that runs with these settings; exit code 0 when it answers.',
  async run(_call, { readConfig, print }) {
    print(await stateOf(readConfig()))
  },
}

/** `ok` or `degraded`: a degraded node still redirects, and a restart would not help it. */
async function stateOf({ host, port }: Config): Promise<string> {
  const answer = await askHealth(EVERY_ADDRESS[host] ?? host, port)
  const state = /^\{"status":"(ok|degraded)"/.exec(answer)?.[1]
  if (state === undefined) throw new Refusal('command_failed', `The server on port ${port} does not respond.`)
  return state
}

/** The body; empty without a response. */
function askHealth(host: string, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  // No keep-alive: a stopping server would wait for the connection.
  const asking = get({ host, port, path: '/api/health', agent: false, signal }, (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (part: string) => (text += part))
    answer.on('end', () => resolve(answer.statusCode === 200 ? text : ''))
    answer.on('error', () => resolve(''))
  })
  asking.on('error', () => resolve(''))
  return promise
}
