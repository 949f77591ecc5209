import { expect, test } from 'bun:test'
import { StreamPlaces } from './stream-places.ts'

const sentence = 'Too many.'
const refusal = { kind: 'too-many', message: sentence, retryAfterSeconds: 30 }

test('an account and all accounts together have limits, and a closed stream frees its place once', () => {
  const places = new StreamPlaces({ perWorkspace: 2, max: 3, sentence })
  const leave = places.take(1)
  places.take(1)
  expect(() => places.take(1)).toThrow(expect.objectContaining(refusal))
  places.take(2)
  expect(() => places.take(3)).toThrow(expect.objectContaining(refusal))
  leave()
  leave()
  places.take(3)
  expect(() => places.take(4)).toThrow(expect.objectContaining(refusal))
})
