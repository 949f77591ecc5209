import { expect, test } from 'bun:test'
import { CHECK_AGAIN_MS, waitingFor } from './check-again.ts'

const MINUTE_MS = 60_000
const selfSigned = { status: 'self_signed' } as const
const valid = { status: 'valid' } as const

test.each([
  ['nothing is known yet', undefined, 0, 15_000],
  ['the records are missing', { status: 'pending', certificate: null }, 9 * MINUTE_MS, 15_000],
  ['it leads elsewhere', { status: 'failing', certificate: valid }, 0, 15_000],
  ['the certificate is not valid', { status: 'active', certificate: selfSigned }, 0, MINUTE_MS],
  ['the records were missing for long', { status: 'pending', certificate: null }, 10 * MINUTE_MS, false],
  [
    'the certificate was not valid for long',
    { status: 'active', certificate: selfSigned },
    11 * MINUTE_MS,
    false,
  ],
  ['everything is there', { status: 'active', certificate: valid }, 0, false],
  ['everything is there, without https', { status: 'active', certificate: null }, 0, false],
] as const)('how soon a domain is checked again: %s', (_, domain, waitedMs, soon) => {
  expect(CHECK_AGAIN_MS[waitingFor(domain, waitedMs)]).toBe(soon)
})
