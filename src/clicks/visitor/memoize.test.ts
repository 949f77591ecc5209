import { expect, test } from 'bun:test'
import { memoize } from './memoize.ts'

function shoutingAloud(answersMax: number) {
  const asked: string[] = []
  const shout = memoize(answersMax, (word) => {
    asked.push(word)
    return word.toUpperCase()
  })
  return { asked, shout }
}

test('a question asked twice is worked out once', () => {
  const { asked, shout } = shoutingAloud(2)
  expect([shout('a'), shout('a')]).toEqual(['A', 'A'])
  expect(asked).toEqual(['a'])
})

test('the oldest answer goes when the bound is reached, and the others stay', () => {
  const { asked, shout } = shoutingAloud(2)
  for (const word of ['a', 'b', 'c', 'b', 'c', 'a']) shout(word)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})

test('an empty answer is remembered like any other', () => {
  let times = 0
  const silent = memoize(2, () => {
    times += 1
    return ''
  })
  expect([silent('a'), silent('a'), times]).toEqual(['', '', 1])
})

test('names of object members are ordinary questions', () => {
  const { shout } = shoutingAloud(9)
  expect([shout('__proto__'), shout('constructor')]).toEqual(['__PROTO__', 'CONSTRUCTOR'])
})

test('every string is a question of its own, down to half a surrogate pair', () => {
  const asked: string[] = []
  const echo = memoize(9, (word) => {
    asked.push(word)
    return word
  })
  for (const word of ['\ud83d', '\ud83e', '\ufffd', '\ud83d', 'é']) expect(echo(word)).toBe(word)
  expect(asked).toEqual(['\ud83d', '\ud83e', '\ufffd', 'é'])
})
