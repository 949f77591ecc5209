import { expect, test } from 'bun:test'
import { plainAnswer, plainErrors } from './plain-errors.ts'

const NOT_A_URL = 'must be a valid URL that starts with http:// or https://.'

test('users read what to enter, whatever the field is called in the API', () => {
  expect(
    plainErrors({
      original_url: [`The original url ${NOT_A_URL}`],
      fallback_url: ['The fallback url may not lead there: the host is blocked.'],
      title: ['Too long.'],
    }),
  ).toEqual({
    original_url: ['Enter a full URL, for example https://example.com/page.'],
    fallback_url: ['This destination is blocked: the operator of this server has blocked its host.'],
    title: ['Too long.'],
  })
})

test('of an answer, the message too', () => {
  const blocked = 'The original url may not lead there: the host is blocked.'
  expect(plainAnswer({ message: blocked, errors: { original_url: [blocked] } })).toEqual({
    message: 'This destination is blocked: the operator of this server has blocked its host.',
    errors: {
      original_url: ['This destination is blocked: the operator of this server has blocked its host.'],
    },
  })
})
