import { beforeEach, expect, test } from 'bun:test'
import { type Bounded, BoundedConnections } from './bounded-connections.ts'

let connections: BoundedConnections<Connection>
let crowds: number

beforeEach(openConnections)

test('while there is room, no connection is closed', () => {
  const all = [enter(), enter(), enter()]
  expect([...connections]).toEqual(all)
  expect([ended(...all), crowds]).toEqual([[false, false, false], 0])
})

test('without room, the oldest is closed, and this is reported', () => {
  const [first, second, third, fourth] = [enter(), enter(), enter(), enter()]
  expect(ended(first, second, third, fourth)).toEqual([true, false, false, false])
  expect([...connections]).toEqual([second, third, fourth])
  expect(crowds).toBe(1)
})

test('one that got a response gets another round, and only one', () => {
  const [first, second, third] = [enter({ wasAnswered: true }), enter(), enter()]
  const fourth = enter()
  expect(ended(first, second, third)).toEqual([false, true, false])
  expect([...connections]).toEqual([third, first, fourth])
  enter()
  enter()
  expect(ended(first, third)).toEqual([true, true])
})

test('one that waits for a response is never closed, and if all do, the new one is refused', () => {
  const all = [enter({ isBusy: true }), enter({ isBusy: true }), enter({ isBusy: true })]
  expect(connections.add(new Connection())).toBe(false)
  all[1]!.data.isBusy = false
  expect(connections.add(new Connection())).toBe(true)
  expect(ended(...all)).toEqual([false, true, false])
})

test('one that closes makes room', () => {
  const [first, second, third] = [enter(), enter(), enter()]
  connections.delete(second)
  connections.delete(second)
  enter()
  expect([ended(first, third), crowds]).toEqual([[false, false], 0])
})

test('one that needs more files has others closed, but not itself', () => {
  const [first, second, third] = [enter(), enter(), enter()]
  expect(connections.grow(first, 2)).toBe(true)
  expect(ended(first, second, third)).toEqual([false, true, true])
  expect([...connections]).toEqual([first])
})

test('the files that it grew by are returned separately', () => {
  const first = enter()
  expect(connections.grow(first, 2)).toBe(true)
  connections.delete(first)
  const all = [enter(), enter()]
  expect([ended(...all), crowds]).toEqual([[true, false], 1])
  connections.giveBack(2)
  enter()
  enter()
  expect([all[1]!.hasEnded, crowds]).toEqual([false, 1])
})

test('one that cannot have more files stays, to be closed by its owner', () => {
  const [busy, growing] = [enter({ isBusy: true }), enter({ isBusy: true })]
  expect(connections.grow(growing, 2)).toBe(false)
  expect([...connections]).toContain(growing)
  connections.delete(growing)
  enter()
  enter()
  expect([busy.hasEnded, crowds]).toEqual([false, 1])
})

/** Removes itself when it is ended, as a socket does. */
class Connection {
  hasEnded = false
  readonly data: Bounded

  constructor(state: Partial<Bounded> = {}) {
    this.data = { isBusy: false, wasAnswered: false, ...state }
  }

  end(): void {
    this.hasEnded = true
    connections.delete(this)
  }
}

function openConnections(): void {
  crowds = 0
  connections = new BoundedConnections(3, () => void crowds++)
}

function enter(state: Partial<Bounded> = {}): Connection {
  const connection = new Connection(state)
  expect(connections.add(connection)).toBe(true)
  return connection
}

const ended = (...all: Connection[]) => all.map(({ hasEnded }) => hasEnded)
