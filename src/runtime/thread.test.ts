import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Thread } from './thread.ts'

const FILE = new URL(`file://${join(import.meta.dir, '../../test/rigs/program/notified-thread.script.ts')}`)
const threads: Thread<ToThread, FromThread>[] = []

afterAll(async () => {
  for (const thread of threads) await thread.stop({ kind: 'stop' })
})

test('a thread reports that it is ready, sends messages, and stops when asked to', async () => {
  const { thread, received } = start()
  thread.send({ kind: 'start' })
  await thread.ready
  thread.send({ kind: 'echo' })
  await thread.stop({ kind: 'stop' })
  expect(received).toEqual([{ kind: 'echo' }])
  const { thread: other } = start()
  other.send({ kind: 'throw' })
  const failed = [thread.failed.then(() => 'the one that was stopped'), other.failed.then(() => 'the other')]
  expect(await Promise.race(failed)).toBe('the other')
})

test.each(['throw', 'reject', 'leave'] as const)(
  'a thread that ends without being stopped has failed: %s',
  async (kind) => {
    const { thread } = start()
    thread.send({ kind: 'start' })
    await thread.ready
    thread.send({ kind })
    const reason = await thread.failed
    expect(reason.message).toMatch(
      kind === 'leave' ? /^The test thread has ended\.$/ : /^The test thread failed: /,
    )
    if (kind !== 'leave') expect(reason.message).toContain('A test asked for it.')
    await thread.stop({ kind: 'stop' })
  },
)

test('a thread that does not stop is ended when the time is over', async () => {
  const { thread } = start()
  thread.send({ kind: 'start' })
  await thread.ready
  // Without the time limit, this would never return.
  expect(await thread.stop({ kind: 'echo' }, 50)).toBeUndefined()
})

test('a thread that fails before it is ready never will be', async () => {
  const { thread } = start()
  thread.send({ kind: 'throw' })
  await expect(thread.ready).rejects.toThrow('The test thread failed: ')
})

test('a thread whose file is missing has failed', async () => {
  const thread = new Thread<ToThread, FromThread>({
    name: 'test',
    file: new URL('file:///nowhere.ts'),
    onMessage: () => {},
  })
  expect((await thread.failed).message).toContain('The test thread failed: ')
})

type ToThread = { kind: 'start' | 'echo' | 'throw' | 'reject' | 'leave' | 'stop' }
type FromThread = { kind: 'echo' }

function start() {
  const received: FromThread[] = []
  const thread = new Thread<ToThread, FromThread>({
    name: 'test',
    file: FILE,
    onMessage: (message) => void received.push(message),
  })
  threads.push(thread)
  return { thread, received }
}
