import { describe, expect, test } from 'bun:test'
import { Refusal } from '../errors/refusal.ts'
import { readIdempotencyKey, RunningRequests } from './idempotency.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'

describe('an Idempotency-Key', () => {
  test('is not there without its header', () => {
    expect([readIdempotencyKey(null), readIdempotencyKey(undefined)]).toEqual([undefined, undefined])
  })

  const keys: [header: string, key: string][] = [
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['  abc\t', 'abc'],
    [' " abc " ', ' abc '],
    ['"', '"'],
    ['"abc', '"abc'],
    ['a b, c', 'a b, c'],
    ['k'.repeat(255), 'k'.repeat(255)],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ]
  test.each(keys)('%j is read as %j', (header, key) => {
    expect(readIdempotencyKey(header)).toBe(key)
  })

  test.each(['', '   ', '""', 'k'.repeat(256), `"${'k'.repeat(256)}"`])('%j is refused', (header) => {
    expect(() => readIdempotencyKey(header)).toThrow(
      'The idempotency key must be between 1 and 255 characters.',
    )
  })
})

describe('a request that is being worked on', () => {
  const caller = ownerOf(1)
  const request = { endpoint: 'POST /api/links', key: 'abc', fingerprint: '' }

  test('is a conflict for the same one, and for no other', async () => {
    const running = new RunningRequests()
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = running.run(caller, request, () => promise)
    const conflict = await running.run(caller, request, async () => 'second').catch((error: unknown) => error)
    expect(conflict).toBeInstanceOf(Refusal)
    expect((conflict as Refusal).kind).toBe('conflict')
    const others = [
      running.run(ownerOf(2), request, async () => 'another workspace'),
      running.run(caller, { ...request, endpoint: 'POST /api/bulk-shorten' }, async () => 'another endpoint'),
      running.run(caller, { ...request, key: 'abd' }, async () => 'another key'),
      running.run(caller, undefined, async () => 'without a key'),
    ]
    expect(await Promise.all(others)).toHaveLength(4)
    resolve('first')
    expect(await first).toBe('first')
    expect(await running.run(caller, request, async () => 'third')).toBe('third')
  })

  test('is over when it fails', async () => {
    const running = new RunningRequests()
    const failed = await running
      .run(caller, request, () => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message)
    expect(failed).toBe('no')
    expect(await running.run(caller, request, async () => 'again')).toBe('again')
  })
})
