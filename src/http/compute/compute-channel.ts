import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import { PendingReplies } from '../../runtime/pending-replies.ts'
import { Thread } from '../../runtime/thread.ts'
import type { COMPUTE_TASKS } from './compute-tasks.ts'

type Tasks = typeof COMPUTE_TASKS
type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>

export type ToComputeThread =
  | { [Name in keyof Tasks]: { kind: 'task'; id: number; name: Name; input: Input<Name> } }[keyof Tasks]
  | { kind: 'stop' }
export type FromComputeThread =
  | { kind: 'done'; id: number; result: unknown }
  | { kind: 'invalid'; id: number; fields: FieldErrors }
  | { kind: 'failed'; id: number; error: string }

/** The thread may be drawing a large picture. */
const STOP_MS_MAX = 2_000

/**
 * Runs what takes long and needs no store on the compute thread, so that no page and no picture delays other requests. The
 * thread starts with the first task. If it fails, its tasks fail, and the next task starts another one.
 */
export class ComputeChannel {
  #thread: Thread<ToComputeThread, FromComputeThread> | undefined
  readonly #pending = new PendingReplies<unknown>()

  async run<Name extends keyof Tasks>(name: Name, input: Input<Name>): Promise<Result<Name>> {
    const thread = (this.#thread ??= this.#start())
    const result = this.#pending.request((id) =>
      thread.send({ kind: 'task', id, name, input } as ToComputeThread),
    )
    return (await result) as Result<Name>
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#failAll(new Error('The service is stopping.'))
    await thread?.stop({ kind: 'stop' }, STOP_MS_MAX)
  }

  #start() {
    const thread = new Thread<ToComputeThread, FromComputeThread>({
      name: 'compute',
      file: new URL('./compute-thread.ts', import.meta.url),
      onMessage: (message) => this.#settle(message),
    })
    void thread.failed.then((error) => this.#failAll(error))
    return thread
  }

  #settle(message: FromComputeThread): void {
    const { id, kind } = message
    if (kind === 'done') this.#pending.resolve(id, message.result)
    else this.#pending.reject(id, kind === 'invalid' ? invalid(message.fields) : new Error(message.error))
  }

  #failAll(error: Error): void {
    this.#thread = undefined
    this.#pending.rejectAll(error)
  }
}
