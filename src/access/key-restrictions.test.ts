import { expect, test } from 'bun:test'
import { limitsLinks } from './key-restrictions.ts'

test('origins alone do not limit links', () => {
  expect(limitsLinks({})).toBe(false)
  expect(limitsLinks({ origins: ['https://shop.example'], domain: undefined })).toBe(false)
  expect(limitsLinks({ code_prefix: 'shop-' })).toBe(true)
  expect(limitsLinks({ links_per_day: 1 })).toBe(true)
})
