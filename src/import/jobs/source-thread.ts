import { Refusal } from '../../errors/refusal.ts'
import type { ThreadStatus } from '../../runtime/thread.ts'
import { readSource, type SourceGroup } from './read-source.ts'
import type { FromSourceThread, ToSourceThread } from './source-channel.ts'

/** A source thread: reads the links of one job. It has no handle on the store, and no secret but the key of the source. */
declare const self: Worker

const send = (message: ThreadStatus | FromSourceThread) => self.postMessage(message)

let groups: AsyncGenerator<SourceGroup, void>

self.onmessage = async ({ data: message }: MessageEvent<ToSourceThread>) => {
  if (message.kind === 'next') send(await next())
  else if (message.kind === 'stop') send({ kind: 'stopped' })
  else
    groups = readSource(message.opening, {
      described: (lines) => send({ kind: 'described', lines }),
      said: (sentence) => send({ kind: 'said', sentence }),
      waits: (untilUs) => send({ kind: 'waits', untilUs }),
    })
}

async function next(): Promise<FromSourceThread> {
  try {
    const { value, done } = await groups.next()
    return done ? { kind: 'end' } : { kind: 'group', ...(value as SourceGroup) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', sentence: error.message }
    return { kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
