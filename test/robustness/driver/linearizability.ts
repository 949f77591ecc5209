import type { History, Operation } from './history.ts'

/** How an object behaves if operations run one after the other. */
export type Model<State, Asked, Answered> = {
  initial: State
  /** The state after the operation; undefined if the answer is impossible. Without an answer: the state if it took effect. */
  after(state: State, asked: Asked, answered: Answered | undefined): State | undefined
}

/** A possible state, and which of the operations in progress have taken effect in it. */
type Possibility<State> = { state: State; done: ReadonlySet<number> }

/** For each object, the first operation that no order explains, with all before it; should be empty. */
export function notLinearizable<State, Asked, Answered>(
  model: Model<State, Asked, Answered>,
  { operations }: Pick<History<Asked, Answered>, 'operations'>,
): string[] {
  return [...operations].flatMap(([subject, ofSubject]) => {
    const operation = firstNotLinearizable(model, ofSubject)
    if (operation === undefined) return []
    const before = ofSubject.filter(({ begunAt }) => begunAt < operation.endedAt)
    return [`${subject}: ${JSON.stringify(operation)} in ${JSON.stringify(before)}`]
  })
}

/**
 * Linearizability (Herlihy and Wing, 1990): each operation takes effect at one moment between its start and its end. Follows
 * all possible orders at once and returns the first operation after which none is left.
 */
export function firstNotLinearizable<State, Asked, Answered>(
  model: Model<State, Asked, Answered>,
  operations: readonly Operation<Asked, Answered>[],
): Operation<Asked, Answered> | undefined {
  const underWay = new Set<number>()
  let possible: Possibility<State>[] = [{ state: model.initial, done: new Set() }]
  for (const { index, isEnd } of eventsOf(operations)) {
    underWay.add(index)
    if (!isEnd) continue
    const operation = operations[index]!
    const explained = reachable(possible, { model, operations, underWay }).filter(
      ({ done }) => done.has(index) || operation.answered === undefined,
    )
    if (explained.length === 0) return operation
    underWay.delete(index)
    possible = distinct(
      explained.map(({ state, done }) => ({ state, done: done.difference(new Set([index])) })),
    )
  }
  return undefined
}

function eventsOf(operations: readonly Operation<unknown, unknown>[]): { index: number; isEnd: boolean }[] {
  const events = operations.flatMap(({ begunAt, endedAt }, index) => [
    { at: begunAt, index, isEnd: false },
    { at: endedAt, index, isEnd: true },
  ])
  return events.sort((a, b) => a.at - b.at)
}

type UnderWay<State, Asked, Answered> = {
  model: Model<State, Asked, Answered>
  operations: readonly Operation<Asked, Answered>[]
  underWay: ReadonlySet<number>
}

/** The given states and all that can follow if any of the operations in progress take effect now. */
function reachable<State, Asked, Answered>(
  possible: readonly Possibility<State>[],
  { model, operations, underWay }: UnderWay<State, Asked, Answered>,
): Possibility<State>[] {
  const found = new Map(possible.map((each) => [keyOf(each), each]))
  // Iterating a map includes entries that are added during the loop.
  for (const { state, done } of found.values()) {
    for (const index of underWay.difference(done)) {
      const { asked, answered } = operations[index]!
      const next = model.after(state, asked, answered)
      if (next === undefined) continue
      const possibility = { state: next, done: new Set([...done, index]) }
      const key = keyOf(possibility)
      if (!found.has(key)) found.set(key, possibility)
    }
  }
  return [...found.values()]
}

const distinct = <State>(possible: Possibility<State>[]): Possibility<State>[] => [
  ...new Map(possible.map((each) => [keyOf(each), each])).values(),
]

const keyOf = ({ state, done }: Possibility<unknown>): string =>
  JSON.stringify([state, [...done].sort((a, b) => a - b)])
