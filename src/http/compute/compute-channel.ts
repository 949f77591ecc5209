import { type FieldErrors, invalid } from '../../errors/refusal.ts'
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

type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

/**
 * Runs what takes long and needs no store on the compute thread, so that no page and no picture delays other requests. The
 * thread starts with the first task. If it fails, its tasks fail, and the next task starts another one.
 */
export class ComputeChannel {
  #thread: Thread<ToComputeThread, FromComputeThread> | undefined
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  async run<Name extends keyof Tasks>(name: Name, input: Input<Name>): Promise<Result<Name>> {
    this.#thread ??= this.#start()
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#thread.send({ kind: 'task', id, name, input } as ToComputeThread)
    return (await promise) as Result<Name>
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
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'done') waiting?.resolve(message.result)
    else waiting?.reject(message.kind === 'invalid' ? invalid(message.fields) : new Error(message.error))
  }

  #failAll(error: Error): void {
    this.#thread = undefined
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}
