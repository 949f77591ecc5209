import { Refusal } from '../../errors/refusal.ts'
import type { ThreadStatus } from '../../runtime/thread.ts'
import type { FromComputeThread, ToComputeThread } from './compute-channel.ts'
import { COMPUTE_TASKS } from './compute-tasks.ts'

/** The compute thread: reads pages of others and draws QR codes. It has no handle on the store, and no secrets. */
declare const self: Worker

const send = (message: ThreadStatus | FromComputeThread) => self.postMessage(message)

self.onmessage = async ({ data: message }: MessageEvent<ToComputeThread>) => {
  if (message.kind === 'task') send(await run(message))
  else send({ kind: 'stopped' })
}

async function run({ id, name, input }: ToComputeThread & { kind: 'task' }): Promise<FromComputeThread> {
  try {
    const task = COMPUTE_TASKS[name] as (input: unknown) => Promise<unknown>
    return { kind: 'done', id, result: await task(input) }
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid')
      return { kind: 'invalid', id, fields: error.fields }
    return {
      kind: 'failed',
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}
