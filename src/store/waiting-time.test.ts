import { expect, test } from 'bun:test'
import { waitingTime, WaitingTime, withSharedWaitingTime } from './waiting-time.ts'

test('waits one after the other add up, and waits at the same time count once', () => {
  const time = new WaitingTime()
  time.begin(0)
  time.begin(0)
  time.end(3_000)
  time.end(3_000)
  expect(time.isOver(3_000)).toBe(false)
  // Working is not waiting.
  time.begin(60_000)
  expect([time.isOver(60_900), time.isOver(61_100)]).toEqual([false, true])
  time.end(61_100)
  expect(time.isOver(61_100)).toBe(true)
})

test('is shared by everything a request does, and by nothing else', async () => {
  const ofOne = () =>
    withSharedWaitingTime(async () => {
      const before = waitingTime()
      await Bun.sleep(1)
      return [before, waitingTime()]
    })
  const [first, second] = await Promise.all([ofOne(), ofOne()])
  expect([first[0] === first[1], first[0] === second[0], waitingTime() === waitingTime()]).toEqual([
    true,
    false,
    false,
  ])
})
