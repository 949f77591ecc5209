import { expect, test } from 'bun:test'
import { domainOf } from './domains.ts'

test('every host is on the default domain', () => {
  expect(['s.example.com', '', '[::1]:3000'].map(domainOf)).toEqual([0, 0, 0])
})
