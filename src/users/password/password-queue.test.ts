import { expect, spyOn, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { Refusal } from '../../errors/refusal.ts'
import { hashPassword, passwordErrors } from './password.ts'
import { systemClock } from '../../runtime/clock.ts'
import { LINK_PASSWORDS_PER_HOUR, PasswordQueue } from './password-queue.ts'

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

test('the longest password there can be is right in its longest form', async () => {
  const password = 'Việt Nam quê hương tôi '.repeat(12).slice(0, 256).normalize('NFD')
  expect([passwordErrors(password), password.length > 256]).toEqual([[], true])
  const longest = 'ệ'.normalize('NFD').repeat(200) + password.slice(0, 56)
  const queue = new PasswordQueue()
  for (const each of [password, longest]) expect(await queue.verify(each, await queue.hash(each))).toBe(true)
})

test('a text that is too long for a password is wrong, and takes no time with the square of its length', async () => {
  const queue = new PasswordQueue()
  const hash = await queue.hash(PASSWORD)
  const normalize = spyOn(String.prototype, 'normalize')
  expect(await queue.verify(`a${'\u0301'.repeat(600)}${'\u0316'.repeat(600)}`, hash)).toBe(false)
  const long = normalize.mock.contexts.filter((text) => String(text).length > 1_024)
  normalize.mockRestore()
  expect(long).toEqual([])
})

test('of three hundred at once a bounded number is worked on, and the others are asked to retry', async () => {
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

test('who comes right when another is done waits behind those who wait, so that no more run at once', async () => {
  const queue = new PasswordQueue()
  const atOnceMax = Math.max(1, Math.floor(availableParallelism() / 2))
  const begun: string[] = []
  const late: Promise<unknown>[] = []
  let running = 0
  let runningMax = 0
  const hash = spyOn(Bun.password, 'hash').mockImplementation((async (name: string) => {
    begun.push(name)
    runningMax = Math.max(runningMax, ++running)
    await Bun.sleep(0)
    running--
    // In each of the next few moments, one of which is between the end of this and the next one's turn.
    let moment = Promise.resolve()
    for (let i = 0; i < 8 && name.startsWith('first'); i++)
      moment = moment.then(() => void late.push(queue.hash(`late ${i}`)))
    return 'a hash'
  }) as typeof Bun.password.hash)
  const early = Array.from({ length: atOnceMax }, (_, i) => `first ${i}`).concat(
    Array.from({ length: 10 }, (_, i) => `waiting ${i}`),
  )
  await Promise.all(early.map((name) => queue.hash(name)))
  await Promise.all(late)
  hash.mockRestore()
  expect(late.length).toBe(8 * atOnceMax)
  expect(begun.slice(0, early.length)).toEqual(early)
  expect(runningMax).toBe(atOnceMax)
})

/** Passwords in the order in which they are hashed. `release` ends the first. */
function recordedHashes() {
  const begun: string[] = []
  const first = Promise.withResolvers<void>()
  const hash = spyOn(Bun.password, 'hash').mockImplementation((async (password: string) => {
    begun.push(password)
    if (begun.length === 1) await first.promise
    return `hash of ${password}`
  }) as typeof Bun.password.hash)
  return { begun, release: first.resolve, restore: () => hash.mockRestore() }
}

test('users come before links, and workspaces take turns', async () => {
  const recorded = recordedHashes()
  const queue = new PasswordQueue()
  const all = [
    queue.hashOfLinks(1, ['a1', 'a2', 'a3']),
    queue.hashOfLinks(1, ['b1']),
    queue.hashOfLinks(2, ['c1', 'c2']),
  ]
  const users = Array.from({ length: 3 }, (_, i) => queue.hash(`user ${i}`))
  recorded.release()
  await Promise.all([...users, ...all])
  recorded.restore()
  const links = recorded.begun.filter((password) => !password.startsWith('user'))
  expect(links).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect(recorded.begun.findIndex((password) => password === 'b1')).toBeGreaterThan(3)
  expect(await all[0]).toEqual(['hash of a1', 'hash of a2', 'hash of a3'])
})

test('links of one workspace never keep users or other workspaces out', async () => {
  const recorded = recordedHashes()
  const queue = new PasswordQueue()
  const many = Array.from({ length: 200 }, () => queue.hashOfLinks(1, ['x']).catch(({ kind }) => kind))
  const others = [queue.hashOfLinks(2, ['y']), queue.hash('user')]
  recorded.release()
  expect(await Promise.all(others)).toEqual([['hash of y'], 'hash of user'])
  expect((await Promise.all(many)).filter((one) => one === 'unavailable').length).toBe(149)
  recorded.restore()
})

test('a workspace sets a number of passwords an hour, none of a request that would exceed it', async () => {
  const recorded = recordedHashes()
  recorded.release()
  let nowMs = 0
  const queue = new PasswordQueue({ ...systemClock, monotonicMs: () => nowMs })
  const set = (workspaceId: number, count: number) =>
    queue.hashOfLinks(workspaceId, Array<string>(count).fill('x')).catch((error: unknown) => error)
  expect(await set(1, LINK_PASSWORDS_PER_HOUR - 5)).toBeArray()
  nowMs = 60_000
  expect(await set(1, 6)).toMatchObject({ code: 'link_passwords_exceeded', retryAfterSeconds: 3_540 })
  expect([await set(1, 5), await set(2, 6)].map(Array.isArray)).toEqual([true, true])
  expect(await set(1, 1)).toMatchObject({ code: 'link_passwords_exceeded' })
  nowMs = 3_600_000
  expect(await set(1, 1)).toBeArray()
  recorded.restore()
})

test('hashing stops when the client has gone away', async () => {
  const recorded = recordedHashes()
  const queue = new PasswordQueue()
  const client = new AbortController()
  const hashing = queue.hashOfLinks(1, ['a1', 'a2', 'a3'], client.signal).catch(({ kind }) => kind)
  client.abort()
  recorded.release()
  expect(await hashing).toBe('unavailable')
  expect(recorded.begun).toEqual(['a1'])
  expect(await queue.hashOfLinks(1, ['b1'])).toEqual(['hash of b1'])
  recorded.restore()
})
