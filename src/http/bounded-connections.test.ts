import { beforeEach, expect, test } from 'bun:test'
import { type Bounded, BoundedConnections } from './bounded-connections.ts'

/** A connection that leaves the others when it is ended, as a socket does. */
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

let connections: BoundedConnections<Connection>
let crowds: number

beforeEach(() => {
  crowds = 0
  connections = new BoundedConnections(3, () => void crowds++)
})

function enter(state: Partial<Bounded> = {}): Connection {
  const connection = new Connection(state)
  expect(connections.add(connection)).toBe(true)
  return connection
}

const ended = (...all: Connection[]) => all.map(({ hasEnded }) => hasEnded)

test('while there is room nobody is closed', () => {
  const all = [enter(), enter(), enter()]
  expect([...connections]).toEqual(all)
  expect([ended(...all), crowds]).toEqual([[false, false, false], 0])
})

test('without room the first that came is closed, and this is told', () => {
  const [first, second, third, fourth] = [enter(), enter(), enter(), enter()]
  expect(ended(first, second, third, fourth)).toEqual([true, false, false, false])
  expect([...connections]).toEqual([second, third, fourth])
  expect(crowds).toBe(1)
})

test('who was answered meanwhile has one more round, and only one', () => {
  const [first, second, third] = [enter({ wasAnswered: true }), enter(), enter()]
  const fourth = enter()
  expect(ended(first, second, third)).toEqual([false, true, false])
  expect([...connections]).toEqual([third, first, fourth])
  enter()
  enter()
  expect(ended(first, third)).toEqual([true, true])
})

test('who waits for an answer is never closed; when all do, the newcomer is refused', () => {
  const all = [enter({ isBusy: true }), enter({ isBusy: true }), enter({ isBusy: true })]
  expect(connections.add(new Connection())).toBe(false)
  all[1]!.data.isBusy = false
  expect(connections.add(new Connection())).toBe(true)
  expect(ended(...all)).toEqual([false, true, false])
})

test('who leaves gives its place back', () => {
  const [first, second, third] = [enter(), enter(), enter()]
  connections.delete(second)
  connections.delete(second)
  enter()
  expect([ended(first, third), crowds]).toEqual([[false, false], 0])
})

test('who takes more files has others closed for them, but not itself', () => {
  const [first, second, third] = [enter(), enter(), enter()]
  expect(connections.grow(first, 2)).toBe(true)
  expect(ended(first, second, third)).toEqual([false, true, true])
  expect([...connections]).toEqual([first])
})

test('what it grew by is given back apart from itself', () => {
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

test('who cannot have more files is still here, to be closed', () => {
  const [busy, growing] = [enter({ isBusy: true }), enter({ isBusy: true })]
  expect(connections.grow(growing, 2)).toBe(false)
  expect([...connections]).toContain(growing)
  connections.delete(growing)
  enter()
  enter()
  expect([busy.hasEnded, crowds]).toEqual([false, 1])
})
