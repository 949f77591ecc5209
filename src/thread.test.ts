import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Thread } from './thread.ts'

type Told = { kind: 'start' | 'echo' | 'throw' | 'reject' | 'leave' | 'stop' }
type Said = { kind: 'echo' }

const FILE = new URL(`file://${join(import.meta.dir, '../test/rigs/told-thread.script.ts')}`)
const threads: Thread<Told, Said>[] = []

function start() {
  const heard: Said[] = []
  const thread = new Thread<Told, Said>({
    name: 'test',
    file: FILE,
    hear: (message) => void heard.push(message),
  })
  threads.push(thread)
  return { thread, heard }
}

afterAll(async () => {
  for (const thread of threads) await thread.stop({ kind: 'stop' })
})

test('a thread is ready when it says so, says other things, and stops when told to', async () => {
  const { thread, heard } = start()
  thread.say({ kind: 'start' })
  await thread.ready
  thread.say({ kind: 'echo' })
  await thread.stop({ kind: 'stop' })
  expect(heard).toEqual([{ kind: 'echo' }])
  const { thread: other } = start()
  other.say({ kind: 'throw' })
  const failed = [thread.failed.then(() => 'the one that was stopped'), other.failed.then(() => 'the other')]
  expect(await Promise.race(failed)).toBe('the other')
})

test.each(['throw', 'reject', 'leave'] as const)('a thread that ends untold has failed: %s', async (kind) => {
  const { thread } = start()
  thread.say({ kind: 'start' })
  await thread.ready
  thread.say({ kind })
  const reason = await thread.failed
  expect(reason.message).toMatch(
    kind === 'leave' ? /^The test thread has ended\.$/ : /^The test thread failed: /,
  )
  if (kind !== 'leave') expect(reason.message).toContain('It was told to.')
  await thread.stop({ kind: 'stop' })
})

test('a thread that fails before it is ready never will be', async () => {
  const { thread } = start()
  thread.say({ kind: 'throw' })
  await expect(thread.ready).rejects.toThrow('The test thread failed: ')
})

test('a thread whose file is missing has failed', async () => {
  const thread = new Thread<Told, Said>({ name: 'test', file: new URL('file:///nowhere.ts'), hear: () => {} })
  expect((await thread.failed).message).toContain('The test thread failed: ')
})
