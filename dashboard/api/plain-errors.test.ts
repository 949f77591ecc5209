import { expect, test } from 'bun:test'
import { plainAnswer, plainErrors } from './plain-errors.ts'

const BLOCKED = 'This destination is blocked: the operator of this server has blocked its host.'

test('users read what to enter, by the codes and not by the words of the API', () => {
  const errors = { original_url: ['One.'], fallback_url: ['Two.', 'Three.'], title: ['Too long.'] }
  expect(
    plainErrors(errors, { original_url: ['url_invalid'], fallback_url: ['invalid', 'host_blocked'] }),
  ).toEqual({
    original_url: ['Enter a full URL, for example https://example.com/page.'],
    fallback_url: ['Two.', BLOCKED],
    title: ['Too long.'],
  })
})

test('of an answer, the message too', () => {
  expect(
    plainAnswer({
      code: 'validation_failed',
      message: 'One. (and 1 more error)',
      errors: { original_url: ['One.'], title: ['Too long.'] },
      error_codes: { original_url: ['host_blocked'] },
    }),
  ).toMatchObject({
    code: 'validation_failed',
    message: BLOCKED,
    errors: { original_url: [BLOCKED], title: ['Too long.'] },
  })
})

test('of a role that is not enough, whom to ask', () => {
  const message = 'Insufficient permissions: your role in this workspace does not allow it.'
  expect(plainAnswer({ code: 'role_insufficient', message }).message).toBe(
    'Your role doesn’t allow this. Ask an admin.',
  )
})

test('an answer without codes stays as it is', () => {
  const answer = { message: 'Too long.', errors: { title: ['Too long.'] } }
  expect(plainAnswer(answer)).toEqual(answer)
})
