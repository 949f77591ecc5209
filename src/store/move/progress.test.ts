import { expect, test } from 'bun:test'
import { manualClock } from '../../clock.ts'
import { counted, type MoveProgress, tellSeldom } from './progress.ts'

test('lines are counted as they pass, wherever they are cut', async () => {
  const parts = ['one\ntw', 'o\n', 'three\nfour\n', ''].map((text) => Buffer.from(text))
  const heard: number[] = []
  const passed: Uint8Array[] = []
  for await (const part of counted(parts, (rows) => void heard.push(rows))) passed.push(part)
  expect(heard).toEqual([1, 2, 4, 4])
  expect(Buffer.concat(passed).toString()).toBe('one\ntwo\nthree\nfour\n')
})

test('a table is told of every other second, a new step at once', () => {
  const clock = manualClock(0)
  const told: MoveProgress[] = []
  const tell = tellSeldom(clock, (progress) => void told.push(progress))
  const copied = (rows: number) => ({ step: 'copy', table: 'links', rows, of: 9 }) as const
  void tell(copied(1))
  clock.advance(2_000_000)
  void tell(copied(2))
  void tell(copied(3))
  void tell({ step: 'indexes' })
  clock.advance(1_999_999)
  void tell(copied(4))
  clock.advance(1)
  void tell(copied(5))
  expect(told).toEqual([copied(2), { step: 'indexes' }, copied(5)])
})
