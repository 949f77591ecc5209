import { Refusal } from '../../errors/refusal.ts'
import { Thread } from '../../runtime/thread.ts'
import type { SourceGroup, SourceOpening, SourceReports } from './read-source.ts'

export type ToSourceThread = { kind: 'open'; opening: SourceOpening } | { kind: 'next' } | { kind: 'stop' }
export type FromSourceThread =
  | ({ kind: 'group' } & SourceGroup)
  | { kind: 'end' }
  | { kind: 'described'; lines: string[] }
  | { kind: 'said'; sentence: string }
  | { kind: 'waits'; untilUs: number | null }
  | { kind: 'refused'; sentence: string }
  | { kind: 'failed'; error: string }

/** It may be parsing a page of 64 MB. */
const STOP_MS_MAX = 2_000

/** Reads a source on a thread of its own, so that no file and no page delays other requests. One group is read at a time. */
export async function* sourceGroups(
  opening: SourceOpening,
  reports: SourceReports,
  signal: AbortSignal,
): AsyncGenerator<SourceGroup, void> {
  let next = nextGroup()
  const thread = new Thread<ToSourceThread, FromSourceThread>({
    name: 'source',
    file: new URL('./source-thread.ts', import.meta.url),
    onMessage: (message) => settle(message, reports, next),
  })
  void thread.failed.then((error) => next.reject(error))
  const abort = () => next.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    thread.send({ kind: 'open', opening })
    for (;;) {
      signal.throwIfAborted()
      thread.send({ kind: 'next' })
      const group = await next.promise
      if (group === undefined) return
      next = nextGroup()
      yield group
    }
  } finally {
    signal.removeEventListener('abort', abort)
    await thread.stop({ kind: 'stop' }, STOP_MS_MAX)
  }
}

type Next = PromiseWithResolvers<SourceGroup | undefined>

function nextGroup(): Next {
  const next: Next = Promise.withResolvers()
  // It may fail while nobody waits for it.
  next.promise.catch(() => {})
  return next
}

function settle(message: FromSourceThread, reports: SourceReports, next: Next): void {
  if (message.kind === 'group') next.resolve(message)
  else if (message.kind === 'end') next.resolve(undefined)
  else if (message.kind === 'described') reports.described(message.lines)
  else if (message.kind === 'said') reports.said(message.sentence)
  else if (message.kind === 'waits') reports.waits(message.untilUs)
  else if (message.kind === 'refused') next.reject(new Refusal('command_failed', message.sentence))
  else next.reject(new Error(message.error))
}
