import { expect, test } from 'bun:test'
import { Refusal } from '../refusal.ts'
import { hashPassword } from './password.ts'
import { PasswordQueue } from './password-queue.ts'

const PASSWORD = 'correct horse battery staple'

test('the right password is right, in either form of its accents; all others are wrong, and so is any without a hash', async () => {
  const queue = new PasswordQueue()
  const hash = await queue.hash('caf\u00e9 au lait, s\u2019il vous pla\u00eet')
  expect(await queue.verify('cafe\u0301 au lait, s\u2019il vous plai\u0302t', hash)).toBe(true)
  for (const wrong of ['', ' ', PASSWORD, 'nobody’s', 'x'.repeat(100_000)]) {
    expect(await queue.verify(wrong, hash)).toBe(false)
    expect(await queue.verify(wrong, undefined)).toBe(false)
    expect(await queue.verify(wrong, '')).toBe(false)
  }
})

test('of three hundred at once a bounded number is worked on, and the others are told to come again', async () => {
  const queue = new PasswordQueue()
  const hash = await hashPassword(PASSWORD)
  const all = await Promise.allSettled(Array.from({ length: 300 }, () => queue.verify(PASSWORD, hash)))
  const done = all.filter(({ status }) => status === 'fulfilled')
  const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Refusal)
  expect(done.length).toBeWithin(50, 70)
  expect(done.every((one) => one.status === 'fulfilled' && one.value)).toBe(true)
  expect(new Set(refused.map(({ kind, retryAfterSeconds }) => `${kind} ${retryAfterSeconds}`))).toEqual(
    new Set(['unavailable 5']),
  )
  expect(await queue.verify(PASSWORD, hash)).toBe(true)
})

test('work that fails makes room for the next', async () => {
  const queue = new PasswordQueue()
  for (let i = 0; i < 5; i++)
    expect(await queue.verify(PASSWORD, 'no hash').catch(() => 'failed')).toBe('failed')
  expect(await queue.verify(PASSWORD, await queue.hash(PASSWORD))).toBe(true)
})
