import { describe, expect, test } from 'bun:test'
import { firstNotLinearizable, type Model } from './linearizability.ts'
import { clickCountModel, codeModel, repeatModel, switchModel, titleModel } from './models.ts'

const CUT = undefined

describe('a code', () => {
  type Deed = 'claim' | 'delete' | 'look'
  const by =
    (name: string) =>
    (deed: Deed, answered: 'done' | 'refused' | undefined): [{ by: string; deed: Deed }, typeof answered] => [
      { by: name, deed },
      answered,
    ]
  const [ann, bob] = [by('Ann'), by('Bob')]

  test('goes to one of those who claim it', () => {
    expect(canBe(codeModel, ann('claim', 'done'), bob('claim', 'refused'), ann('look', 'done'))).toBe(true)
    expect(canBe(codeModel, ann('claim', 'done'), bob('claim', 'done'))).toBe(false)
    expect(canBe(codeModel, ann('claim', 'done'), ann('claim', 'done'))).toBe(false)
  })

  test('is refused to nobody while it is free', () => {
    expect(canBe(codeModel, bob('claim', 'refused'))).toBe(false)
  })

  test('that was claimed without an answer is its claimer’s or free, and does not change after that', () => {
    expect(canBe(codeModel, ann('claim', CUT), bob('claim', 'done'), ann('look', 'refused'))).toBe(true)
    expect(canBe(codeModel, ann('claim', CUT), bob('claim', 'refused'), ann('look', 'done'))).toBe(true)
    expect(canBe(codeModel, ann('claim', CUT), bob('claim', 'done'), ann('look', 'done'))).toBe(false)
  })

  test('whose link was deleted stays refused, and only once is it deleted', () => {
    const deleted = [ann('claim', 'done'), ann('delete', 'done')]
    expect(canBe(codeModel, ...deleted, ann('delete', 'refused'), bob('claim', 'refused'))).toBe(true)
    expect(canBe(codeModel, ...deleted, ann('claim', 'refused'), ann('look', 'refused'))).toBe(true)
    expect(canBe(codeModel, ...deleted, ann('claim', 'done'))).toBe(false)
    expect(canBe(codeModel, ...deleted, bob('claim', 'done'))).toBe(false)
    expect(canBe(codeModel, ...deleted, ann('delete', 'done'))).toBe(false)
    expect(canBe(codeModel, ...deleted, ann('look', 'done'))).toBe(false)
  })

  test('can be deleted and seen by its owner only', () => {
    expect(canBe(codeModel, ann('claim', 'done'), bob('delete', 'done'))).toBe(false)
    expect(canBe(codeModel, ann('claim', 'done'), bob('look', 'done'))).toBe(false)
  })
})

test('a switch alternates', () => {
  expect(canBe(switchModel, ['toggle', false], ['toggle', true], ['look', true])).toBe(true)
  expect(canBe(switchModel, ['toggle', false], ['toggle', CUT], ['toggle', false])).toBe(true)
  expect(canBe(switchModel, ['toggle', true])).toBe(false)
  expect(canBe(switchModel, ['toggle', false], ['toggle', false])).toBe(false)
  expect(canBe(switchModel, ['toggle', false], ['look', true])).toBe(false)
})

test('a title is what was written last', () => {
  expect(canBe(titleModel, [{ write: 'One' }, 'One'], ['look', 'One'])).toBe(true)
  expect(canBe(titleModel, [{ write: 'One' }, 'One'], [{ write: 'Two' }, CUT], ['look', 'One'])).toBe(true)
  expect(canBe(titleModel, [{ write: 'One' }, 'One'], ['look', ''])).toBe(false)
})

test('a count of clicks never falls', () => {
  expect(canBe(clickCountModel, ['look', 1], ['look', CUT], ['look', 1], ['look', 5])).toBe(true)
  expect(canBe(clickCountModel, ['look', 5], ['look', 4])).toBe(false)
})

test('a repeated request has one answer', () => {
  expect(canBe(repeatModel, ['make', CUT], ['make', 'svc_1'], ['make', 'svc_1'])).toBe(true)
  expect(canBe(repeatModel, ['make', 'svc_1'], ['make', CUT], ['make', 'svc_2'])).toBe(false)
  expect(canBe(repeatModel, ['make', 'svc_1'], ['make', 'svc_2'])).toBe(false)
})

/** Whether the answers are possible in this order. */
function canBe<State, Asked, Answered>(
  model: Model<State, Asked, Answered>,
  ...steps: [asked: Asked, answered: Answered | undefined][]
): boolean {
  const operations = steps.map(([asked, answered], i) => ({
    asked,
    answered,
    begunAt: 2 * i,
    endedAt: 2 * i + 1,
  }))
  return firstNotLinearizable(model, operations) === undefined
}
