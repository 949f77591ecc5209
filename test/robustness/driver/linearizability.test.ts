import { describe, expect, test } from 'bun:test'
import { History, type Operation } from './history.ts'
import { firstNotLinearizable, notLinearizable, type Model } from './linearizability.ts'

/** A register that holds a number. */
const register: Model<number, Call, number> = {
  initial: 0,
  after(value, asked, answered) {
    const next = asked === 'read' ? value : asked.write
    return answered === undefined || answered === next ? next : undefined
  },
}

describe('one after the other', () => {
  test('a read sees what was written last', () => {
    expect(isExplained(write(1, [1, 2]), read(1, [3, 4]))).toBe(true)
    expect(isExplained(write(1, [1, 2]), write(2, [3, 4]), read(1, [5, 6]))).toBe(false)
    expect(isExplained(read(1, [1, 2]), write(1, [3, 4]))).toBe(false)
  })
})

describe('at the same time', () => {
  test('a read sees the state before a write or behind it', () => {
    expect(isExplained(write(1, [1, 4]), read(0, [2, 3]))).toBe(true)
    expect(isExplained(write(1, [1, 4]), read(1, [2, 3]))).toBe(true)
    expect(isExplained(write(1, [1, 4]), read(2, [2, 3]))).toBe(false)
  })

  test('of two reads the later one does not see the older state', () => {
    const writing = write(1, [1, 6])
    expect(isExplained(writing, read(0, [2, 3]), read(1, [4, 5]))).toBe(true)
    expect(isExplained(writing, read(1, [2, 3]), read(0, [4, 5]))).toBe(false)
  })

  test('writes have one order, for all who read', () => {
    const writing = [write(1, [1, 8]), write(2, [2, 9])]
    expect(isExplained(...writing, read(1, [3, 4]), read(2, [5, 6]), read(2, [10, 11]))).toBe(true)
    expect(isExplained(...writing, read(1, [3, 4]), read(2, [5, 6]), read(1, [10, 11]))).toBe(false)
  })
})

describe('an operation without an answer', () => {
  test('has been done or not', () => {
    expect(isExplained(cutWrite(1, [1, 2]), read(1, [3, 4]))).toBe(true)
    expect(isExplained(cutWrite(1, [1, 2]), read(0, [3, 4]))).toBe(true)
    expect(isExplained(cutWrite(1, [1, 2]), read(2, [3, 4]))).toBe(false)
  })

  test('is not done later, nor taken back', () => {
    const cut = cutWrite(1, [1, 2])
    expect(isExplained(cut, read(0, [3, 4]), read(1, [5, 6]))).toBe(false)
    expect(isExplained(cut, read(1, [3, 4]), read(0, [5, 6]))).toBe(false)
  })
})

test('the first operation that cannot be is named, with its subject', async () => {
  const history = new History<Call, number>()
  await history.record('good', { write: 1 }, async () => 1)
  await history.record('bad', { write: 1 }, async () => 1)
  await history.record('bad', 'read', async () => 0)
  await history.record('bad', 'read', async () => 7)
  const [written, seen] = [write(1, [3, 4]), read(0, [5, 6])]
  expect(notLinearizable(register, history)).toEqual([
    `bad: ${JSON.stringify(seen)} in ${JSON.stringify([written, seen])}`,
  ])
})

test('a history knows who overlapped with whom, and leaves out what was not asked', async () => {
  const history = new History<Call, number>()
  const slow = Promise.withResolvers<number>()
  const slowly = history.record('it', { write: 1 }, () => slow.promise)
  await history.record('it', 'read', async () => 0)
  await history.record('it', 'read', async () => 'not asked')
  await history.record('it', 'read', async () => 'unknown')
  slow.resolve(1)
  await slowly
  expect(history.operations.get('it')).toEqual([
    op('read', 0, [2, 3]),
    op('read', undefined, [5, 6]),
    write(1, [1, 7]),
  ])
})

test('a thousand operations, several at once, are judged all the same', () => {
  const operations = Array.from({ length: 1_000 }, (_, i) => write(i, [4 * i, 4 * i + 13]))
  expect(isExplained(...operations)).toBe(true)
  expect(isExplained(...operations, read(5, [5_000, 5_001]))).toBe(false)
})

type Call = { write: number } | 'read'

type CallOperation = Operation<Call, number>

const op = (
  asked: Call,
  answered: number | undefined,
  [begunAt, endedAt]: [number, number],
): CallOperation => ({
  asked,
  answered,
  begunAt,
  endedAt,
})
const write = (value: number, when: [number, number]) => op({ write: value }, value, when)
const cutWrite = (value: number, when: [number, number]) => op({ write: value }, undefined, when)
const read = (value: number, when: [number, number]) => op('read', value, when)

const isExplained = (...operations: CallOperation[]) =>
  firstNotLinearizable(register, operations) === undefined
