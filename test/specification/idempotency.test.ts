import { describe, expect, test } from 'bun:test'
import { DAY_US, systemClock } from '../../src/runtime/clock.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  LINK_NOT_FOUND,
  refusal,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('the same request with the same Idempotency-Key', () => {
  test('gets the stored response, marked, and creates no second link', async () => {
    const before = await countLinks(rig, caller)
    const first = await create('once')
    const again = await create('once')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect([replayed(first), replayed(again)]).toEqual([null, 'true'])
    expect(await countLinks(rig, caller)).toBe(before + 1)
  })

  test('behaves the same in bulk', async () => {
    const before = await countLinks(rig, caller)
    const body = { links: [BODY, BODY] }
    const first = await shorten('once-bulk', body)
    const again = await shorten('once-bulk', body)
    expect([first.status, again.status, replayed(again)]).toEqual([201, 201, 'true'])
    expect(again.text).toBe(first.text)
    expect(await countLinks(rig, caller)).toBe(before + 2)
  })

  test('gets the original response, even if the link has changed or is gone', async () => {
    const first = await create('gone-since')
    await rig.call('DELETE', `/api/links/${first.body.data.short_code}`, { key: caller.key })
    const again = await create('gone-since')
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true'])
    const read = await rig.call('GET', `/api/links/${first.body.data.short_code}`, { key: caller.key })
    expect(statusAndBody(read)).toEqual({ status: 404, body: LINK_NOT_FOUND })
  })

  test('may send the key as a quoted string, as in the draft', async () => {
    const first = await create('"8e03978e"')
    expect((await create('8e03978e')).text).toBe(first.text)
  })

  test('creates one link when ten arrive at the same moment; the others wait or get a conflict', async () => {
    const before = await countLinks(rig, caller)
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('ten-at-once')))
    const made = answers.filter((answer) => answer.status === 201)
    expect(made.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(statusAndBody(answer)).toEqual(CONFLICT)
    expect(await countLinks(rig, caller)).toBe(before + 1)
    expect(replayed(await create('ten-at-once'))).toBe('true')
  })

  test('is a new request after 24 hours', async () => {
    const first = await create('yesterday')
    const age = (created_at: number) =>
      rig.store.db
        .updateTable('idempotency_keys')
        .set({ created_at })
        .where('workspace_id', '=', caller.workspaceId)
        .where('key', '=', 'yesterday')
        .execute()
    await age(systemClock.nowUs() - DAY_US + 60_000_000)
    expect(replayed(await create('yesterday'))).toBe('true')
    await age(systemClock.nowUs() - DAY_US)
    const anew = await create('yesterday', { ...BODY, title: 'Another' })
    expect([anew.status, replayed(anew)]).toEqual([201, null])
    expect(anew.body.data.id).toBeGreaterThan(first.body.data.id)
  })

  test('is a different request on another endpoint, and from another account', async () => {
    const first = await create('shared')
    const bulk = await shorten('shared', { links: [BODY] })
    const theirs = await create('shared', BODY, await rig.makeCaller())
    expect([bulk.status, replayed(bulk)]).toEqual([201, null])
    expect([theirs.status, replayed(theirs)]).toEqual([201, null])
    expect(theirs.body.data.id).not.toBe(first.body.data.id)
  })
})

describe('another request with the same Idempotency-Key', () => {
  test('is refused, and no link is created', async () => {
    await create('taken-key')
    const before = await countLinks(rig, caller)
    expect(statusAndBody(await create('taken-key', { ...BODY, title: 'Twice' }))).toEqual(OTHER_BODY)
    // The very bytes count: a client that repeats a request repeats them.
    expect(statusAndBody(await create('taken-key', `${JSON.stringify(BODY)} `))).toEqual(OTHER_BODY)
    expect(await countLinks(rig, caller)).toBe(before)
  })

  test('is refused before its own values are checked', async () => {
    await create('taken-key-2')
    expect(statusAndBody(await create('taken-key-2', { original_url: DESTINATION, title: 'x' }))).toEqual(
      OTHER_BODY,
    )
  })
})

describe('an Idempotency-Key', () => {
  test('may have 255 characters, with quotes around them or without', async () => {
    for (const key of ['k'.repeat(255), `"${'q'.repeat(255)}"`]) expect((await create(key)).status).toBe(201)
  })

  test.each(['', '""', 'k'.repeat(256), `"${'q'.repeat(256)}"`])(
    'is refused and nothing is stored when it is empty or over-long: %s',
    async (key) => {
      const before = await countLinks(rig, caller)
      expect(statusAndBody(await create(key))).toEqual(WRONG_LENGTH)
      expect(statusAndBody(await shorten(key, { links: [BODY] }))).toEqual(WRONG_LENGTH)
      expect(await countLinks(rig, caller)).toBe(before)
    },
  )

  test('is not used up by an error', async () => {
    const refusals: [status: number, body: unknown, key: string | undefined][] = [
      [422, { ...BODY, title: 7 }, caller.key],
      [422, { ...BODY, custom_code: 'api' }, caller.key],
      [400, '{', caller.key],
      [401, BODY, 'bad'],
    ]
    for (const [status, body, key] of refusals)
      expect((await create('after-refusals', body, { ...caller, key: key! })).status).toBe(status)
    const answer = await create('after-refusals')
    expect([answer.status, replayed(answer)]).toEqual([201, null])
  })

  test('is ignored by requests that are safe to repeat', async () => {
    const headers = { 'Idempotency-Key': 'k'.repeat(300) }
    for (const path of ['/api/links', '/api/account'])
      expect((await rig.call('GET', path, { key: caller.key, headers })).status).toBe(200)
  })
})

const WRONG_LENGTH = {
  status: 422,
  body: invalid({ idempotency_key: ['The idempotency key must be between 1 and 255 characters.'] }),
}

const CONFLICT = {
  status: 409,
  body: refusal('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress.'),
}

const OTHER_BODY = {
  status: 422,
  body: invalid({ idempotency_key: ['The idempotency key has been used with another body.'] }),
}

const BODY = { original_url: DESTINATION, title: 'Once' }

const create = (idempotencyKey: string, body: unknown = BODY, { key } = caller) =>
  rig.call('POST', '/api/links', { key, body, headers: { 'Idempotency-Key': idempotencyKey } })
const shorten = (idempotencyKey: string, body: unknown) =>
  rig.call('POST', '/api/bulk-shorten', {
    key: caller.key,
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  })
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed')
