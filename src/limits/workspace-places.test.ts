import { expect, test } from 'bun:test'
import { type PlaceLimits, WorkspacePlaces } from './workspace-places.ts'

const LIMITS = { running: 3, runningOfOne: 2, waiting: 4, waitingOfOne: 2 }

test('a workspace that has its share waits, and does not hold up another', async () => {
  const { run, end, started } = open()
  const all = [run(1, 'a'), run(1, 'b'), run(1, 'c'), run(2, 'd'), run(2, 'e')]
  expect(started).toEqual(['a', 'b', 'd'])
  await end('d')
  // c waits for a place of its own workspace, although it came first.
  expect(started).toEqual(['a', 'b', 'd', 'e'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'd', 'e', 'c'])
  for (const name of ['b', 'c', 'e']) await end(name)
  await Promise.all(all)
})

test('what would wait too long is refused, and nothing else', async () => {
  const { run, end, started } = open()
  const all = [run(1, 'a'), run(1, 'b'), run(1, 'c'), run(1, 'd')]
  await expect(run(1, 'e')).rejects.toThrow('Too many pages are being looked at.')
  all.push(run(2, 'f'), run(2, 'g'), run(3, 'h'))
  // Of the workspace that has the most waiting, the last one makes room.
  const d = all.splice(3, 1)[0]!
  const refused = d.catch((error: Error) => error.message)
  all.push(run(4, 'i'))
  expect(await refused).toBe('Too many pages are being looked at. Try again in a few seconds.')
  // Nobody has more than one waiting by now.
  await expect(run(5, 'k')).rejects.toThrow('Too many pages are being looked at.')
  for (const name of ['a', 'b', 'f', 'c', 'g', 'h', 'i']) await end(name)
  await Promise.all(all)
  expect(started.toSorted()).toEqual(['a', 'b', 'c', 'f', 'g', 'h', 'i'])
})

test('who has nothing running comes before those who have, although they waited longer', async () => {
  const { run, end, started } = open()
  const all = [run(1, 'a'), run(1, 'b'), run(2, 'c'), run(2, 'd'), run(1, 'e'), run(3, 'f')]
  await end('c')
  expect(started).toEqual(['a', 'b', 'c', 'f'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'c', 'f', 'd'])
  for (const name of ['b', 'd', 'e', 'f']) await end(name)
  await Promise.all(all)
})

test('work that fails gives its place back', async () => {
  const places = new WorkspacePlaces(
    { running: 1, runningOfOne: 1, waiting: 1, waitingOfOne: 1 },
    'Too many.',
  )
  const fail = () => Promise.reject(new Error('broken'))
  await expect(places.run(1, fail)).rejects.toThrow('broken')
  expect(await places.run(1, async () => 'done')).toBe('done')
})

test('workspaces take turns, also where one thing runs at a time', async () => {
  const { run, end, started } = open({ running: 1, runningOfOne: 1, waiting: 8, waitingOfOne: 4 })
  const all = ['a', 'b', 'c', 'd'].map((name) => run(1, name))
  all.push(run(2, 'e'), run(3, 'f'), run(2, 'g'))
  for (const name of ['a', 'e', 'f', 'b', 'g', 'c', 'd']) await end(name)
  expect(started).toEqual(['a', 'e', 'f', 'b', 'g', 'c', 'd'])
  await Promise.all(all)
})

test('who would wait too long is refused, and gives up the place in the queue', async () => {
  const { run, end, started } = open({ ...LIMITS, running: 1, runningOfOne: 1, waitingMsMax: 1 })
  const first = run(1, 'a')
  await expect(run(2, 'b')).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 5 })
  await end('a')
  await first
  expect(started).toEqual(['a'])
})

/** Work that ends on request. */
function open(limits: PlaceLimits = LIMITS) {
  const places = new WorkspacePlaces(limits, 'Too many pages are being looked at.')
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const run = (workspaceId: number, name: string): Promise<void> => {
    ends.set(name, Promise.withResolvers())
    return places.run(workspaceId, () => (started.push(name), ends.get(name)!.promise))
  }
  const end = async (name: string) => {
    ends.get(name)!.resolve()
    await Bun.sleep(0)
  }
  return { run, end, started }
}
