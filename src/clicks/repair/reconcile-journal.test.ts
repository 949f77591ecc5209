import { describe, expect, test } from 'bun:test'
import { reconcileJournal } from './reconcile-journal.ts'
import { NO_SEGMENT } from '../journal/segment.ts'
import type { SurveyedSegment } from './survey-journal.ts'

describe('the journal', () => {
  test('that is counted has nothing missing', () => {
    expect(reconcileJournal([])).toEqual(NOTHING)
    expect(reconcileJournal(chain(3, 0, 4))).toEqual({ ...NOTHING, journaled: 7, counted: 7 })
  })

  test('adds up, in whatever order its segments come', () => {
    const [a, b, c] = chain(3, 4, 5)
    const waiting = {
      ...b!,
      counted: 1,
      waiting: 2,
      deadLetters: 1,
      isFinished: false,
      file: 'there' as const,
    }
    const trashed = { ...c!, counted: 0, waiting: 5, isFinished: false, file: 'in the trash' as const }
    for (const order of [
      [a!, waiting, trashed],
      [trashed, waiting, a!],
    ])
      expect(reconcileJournal(order)).toEqual({
        ...NOTHING,
        journaled: 12,
        counted: 4,
        deadLetters: 1,
        waiting: 2,
        inTrash: 5,
      })
  })

  test('with a segment cut short lacks exactly the rest of it', () => {
    const [a, b, c] = chain(3, 4, 5)
    expect(reconcileJournal([a!, { ...b!, counted: 1 }, c!])).toEqual({
      ...NOTHING,
      journaled: 12,
      counted: 9,
      missing: 3,
      gaps: [{ segment: 'b', missing: 3 }],
    })
  })

  test('with a segment that nobody knows lacks all of it, as the one behind it tells', () => {
    const [a, , c] = chain(3, 4, 5)
    expect(reconcileJournal([a!, c!])).toEqual({
      ...NOTHING,
      journaled: 12,
      counted: 8,
      missing: 4,
      gaps: [{ segment: 'b', missing: 4 }],
    })
  })

  test('whose last segment is damaged lacks what its seal tells', () => {
    const [a, b] = chain(3, 4)
    expect(reconcileJournal([a!, { ...b!, counted: 1, waiting: 1, sealed: 4, file: 'there' }])).toMatchObject(
      { journaled: 7, counted: 4, waiting: 1, missing: 2, gaps: [{ segment: 'b', missing: 2 }] },
    )
  })

  test('with more counted than there was says so', () => {
    const [a, b] = chain(3, 4)
    expect(reconcileJournal([{ ...a!, counted: 5 }, b!])).toMatchObject({ missing: 0, surplus: 2 })
  })

  test('of which only the end is known lacks its beginning', () => {
    const [, b, c] = chain(3, 4, 5)
    expect(reconcileJournal([b!, c!])).toEqual({
      ...NOTHING,
      journaled: 12,
      counted: 9,
      missing: 3,
      gaps: [{ segment: 'a', missing: 3 }],
    })
  })

  test('that was begun again next to an older one is two journals', () => {
    const later = { ...chain(2)[0]!, segment: 'x' }
    expect(reconcileJournal([...chain(3, 4), later])).toEqual({ ...NOTHING, journaled: 9, counted: 9 })
  })

  test('with a segment that was begun and given up is whole', () => {
    const [a, b] = chain(3, 4)
    const givenUp = { ...b!, segment: 'x', counted: 0 }
    expect(reconcileJournal([a!, b!, givenUp])).toEqual({ ...NOTHING, journaled: 7, counted: 7 })
  })

  test('of very many segments takes one look at each', () => {
    const segments = Array.from({ length: 100_000 }, (_, i) => ({
      ...chain(1)[0]!,
      segment: `${i}`,
      previous: i === 0 ? NO_SEGMENT : `${i - 1}`,
      baseCount: i,
    }))
    expect(reconcileJournal(segments.reverse())).toEqual({ ...NOTHING, journaled: 100_000, counted: 100_000 })
  })
})

/** Segments a, b, c … with these numbers of clicks, one after the other, all counted and gone from the folder. */
function chain(...clicks: number[]): SurveyedSegment[] {
  let baseCount = 0
  return clicks.map((counted, i) => {
    const segment = {
      segment: name(i),
      previous: i === 0 ? NO_SEGMENT : name(i - 1),
      baseCount,
      counted,
      deadLetters: 0,
      isFinished: true,
      file: 'gone' as const,
      waiting: 0,
      sealed: undefined,
      isShorter: false,
    }
    baseCount += counted
    return segment
  })
}

const name = (i: number) => String.fromCharCode(97 + i)
const NOTHING = {
  journaled: 0,
  counted: 0,
  deadLetters: 0,
  waiting: 0,
  inTrash: 0,
  missing: 0,
  surplus: 0,
  gaps: [],
}
