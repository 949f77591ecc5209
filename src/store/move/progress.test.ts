import { expect, test } from 'bun:test'
import { manualClock } from '../../runtime/clock.ts'
import { counted, type MoveProgress, throttleProgress } from './progress.ts'

test('lines are counted as they pass, wherever they are cut', async () => {
  const parts = ['one\ntw', 'o\n', 'three\nfour\n', ''].map((text) => Buffer.from(text))
  const heard: number[] = []
  const passed: Uint8Array[] = []
  for await (const part of counted(parts, (rows) => void heard.push(rows))) passed.push(part)
  expect(heard).toEqual([1, 2, 4, 4])
  expect(Buffer.concat(passed).toString()).toBe('one\ntwo\nthree\nfour\n')
})

test('a table is reported of every other second, a new step at once', () => {
  const clock = manualClock(0)
  const reported: MoveProgress[] = []
  const report = throttleProgress(clock, (progress) => void reported.push(progress))
  const copied = (rows: number) => ({ step: 'copy', table: 'links', rows, of: 9 }) as const
  void report(copied(1))
  clock.advance(2_000_000)
  void report(copied(2))
  void report(copied(3))
  void report({ step: 'indexes' })
  clock.advance(1_999_999)
  void report(copied(4))
  clock.advance(1)
  void report(copied(5))
  expect(reported).toEqual([copied(2), { step: 'indexes' }, copied(5)])
})
