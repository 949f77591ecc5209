import { expect, test } from 'bun:test'
import { plainError, plainErrors } from './plain-errors.ts'

const NOT_A_URL = 'must be a valid URL that starts with http:// or https://.'
const FULL_URL = 'Enter a full URL, for example https://example.com/page.'

test('users read what to enter, whatever the field is called in the API', () => {
  expect(plainErrors({ original_url: [`The original url ${NOT_A_URL}`], title: ['Too long.'] })).toEqual({
    original_url: [FULL_URL],
    title: ['Too long.'],
  })
  expect(plainError(`The links.0.original_url ${NOT_A_URL} (and 1 more error)`)).toBe(FULL_URL)
  expect(plainError('The fallback url may not lead there: the host is blocked.')).toBe(
    'This destination is blocked: the operator of this server has blocked its host.',
  )
})
