import { describe, expect, test } from 'bun:test'
import { evenShares, sharesOf, withoutShare, withShare, withShareAdded } from './split-shares.ts'

const sum = (shares: number[]) => shares.reduce((all, share) => all + share, 0)

describe('shares of a split', () => {
  test.each([
    [
      [1, 2],
      [33, 67],
    ],
    [
      [70, 30],
      [70, 30],
    ],
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [100, 1],
      [99, 1],
    ],
    [
      [100, 100, 1],
      [50, 49, 1],
    ],
  ])('weights %j are %j', (weights, shares) => {
    expect(sharesOf(weights)).toEqual(shares)
  })

  test('an even split gives the first what is left over', () => {
    expect(evenShares(2)).toEqual([50, 50])
    expect(evenShares(3)).toEqual([34, 33, 33])
    expect(evenShares(7)).toEqual([16, 14, 14, 14, 14, 14, 14])
  })

  test('moving one takes from the others, or gives to them, in proportion', () => {
    expect(withShare([50, 30, 20], 0, 60)).toEqual([60, 24, 16])
    expect(withShare([50, 30, 20], 0, 40)).toEqual([40, 36, 24])
    expect(withShare([50, 30, 20], 2, 0)).toEqual([62, 37, 1])
    expect(withShare([50, 30, 20], 1, 1_000)).toEqual([1, 98, 1])
    expect(withShare([50, 50], 1, 33.4)).toEqual([67, 33])
  })

  test('a new one gets an even share, and a removed one leaves its own to the others', () => {
    expect(withShareAdded([50, 50])).toEqual([34, 33, 33])
    expect(withShareAdded([98, 1, 1])).toEqual([73, 1, 1, 25])
    expect(withoutShare([50, 30, 20], 0)).toEqual([60, 40])
  })

  test('whatever is moved, they add up to 100 and none is empty', () => {
    for (let count = 2; count <= 10; count++) {
      let shares = evenShares(count)
      for (let step = 0; step < 200; step++) {
        shares = withShare(shares, (step * 7) % count, (step * 37) % 101)
        expect(sum(shares)).toBe(100)
        expect(Math.min(...shares)).toBeGreaterThan(0)
      }
      expect(sum(sharesOf(shares))).toBe(100)
    }
  })
})
